"""The broker is away for a while: what is handed in meanwhile is taken, waits, and is judged when it is back."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.outage.department import Department, department
from tests.outage.sources import expected, source

AWAY_SECONDS = 60 if "PAPERJUDGE_TEST_SUBMISSIONS" in os.environ else 10
"""`make outage` waits for the whole minute."""
TAKEN_SECONDS = 10
pytestmark = pytest.mark.timeout(400)


def test_nothing_is_refused_and_nothing_is_tried_twice(tmp_path: Path) -> None:
    with department(tmp_path, people=20) as site:
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


def wait_until_ready(site: Department) -> None:
    """A verifier is no part of this site."""
    end = time.monotonic() + 30
    while set(site.ready().values()) - {"ok"} != {"none has given a sign of life for 20 s"}:
        assert time.monotonic() < end, site.ready()
        time.sleep(0.2)
