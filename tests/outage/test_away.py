"""The broker is away, and what is handed in is judged when it is back; the database is away, and everybody is told."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from tests.outage.department import Department, department
from tests.outage.sources import expected, source

AWAY_SECONDS = 60 if "PAPERJUDGE_TEST_SUBMISSIONS" in os.environ else 10
"""`make outage` waits for the whole minute."""
TAKEN_SECONDS = 10
pytestmark = pytest.mark.timeout(400)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Department]:
    with department(tmp_path_factory.mktemp("away"), people=20) as site:
        yield site


def test_without_a_broker_nothing_is_refused_and_nothing_is_tried_twice(site: Department) -> None:
    wait_until_ready(site)
    site.redis.stop()
    away_until = time.monotonic() + AWAY_SECONDS
    for number, session in enumerate(site.sessions[:6]):
        began = time.monotonic()
        assert site.post(session, source(number)) is not None
        assert time.monotonic() - began < TAKEN_SECONDS
    said, states = site.ready(), {result["state"] for result in site.results()}
    time.sleep(max(0.0, away_until - time.monotonic()))
    site.redis.start()
    site.wait_until_finished(90)
    results, lines = site.results(), site.log_lines()

    assert said["broker"] == "can't be reached (ConnectionError)"
    assert states == {"queued"}
    assert [(result["verdict"], result["attempt"]) for result in results] == [
        (expected(result["source"]), 1) for result in results
    ]
    assert len(results) == 6
    assert "the broker can't be reached; the sweep will ring" in {line["event"] for line in lines}
    assert "judging failed" not in {line["event"] for line in lines}


def test_without_a_database_whoever_is_signed_in_is_told(site: Department) -> None:
    site.postgresql.stop(signal.SIGINT)
    try:
        page = answer_of(site, "", {"Accept": "text/html"})
        answer = answer_of(site, "problems/halving/submissions/", {"Content-Type": "application/json"}, b"{}")
    finally:
        site.postgresql.start()

    assert page[0] == 503
    assert "The judge can’t reach its database" in page[1]
    assert (answer[0], json.loads(answer[1])["error"]["code"]) == (503, "unavailable")
    end = time.monotonic() + 60
    while site.post(site.sessions[0], source(0)) is None:
        assert time.monotonic() < end
        time.sleep(0.5)
    site.wait_until_finished(90)


def answer_of(site: Department, path: str, headers: dict[str, str], body: bytes | None = None) -> tuple[int, str]:
    """Status and content of what the first of those who are signed in is answered."""
    cookies = {"Cookie": f"sessionid={site.sessions[0]}; csrftoken={'t' * 32}", "X-CSRFToken": "t" * 32}
    try:
        with urllib.request.urlopen(urllib.request.Request(site.url + path, body, headers | cookies)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def wait_until_ready(site: Department) -> None:
    """A verifier is no part of this site."""
    end = time.monotonic() + 30
    while set(site.ready().values()) - {"ok"} != {"none has given a sign of life for 20 s"}:
        assert time.monotonic() < end, site.ready()
        time.sleep(0.2)
