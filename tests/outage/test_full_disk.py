"""A disk that takes no more: said as what it is, and over when there is room again.

A process whose files may not grow meets the same errors as on a full disk, and no disk need be filled for it.
"""

from __future__ import annotations

import json
import resource
import time
import urllib.error
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.learner import Learner
from tests.stack import ROOT, Site, descendants, running_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("full") / "var") as site:
        yield site


@pytest.fixture(scope="module")
def reference() -> str:
    return (ROOT / "problems" / "moco" / "reference.py").read_text()


def test_the_web_says_so_and_takes_the_code_when_there_is_room(site: Site, reference: str) -> None:
    learner = Learner(site.url)

    with full_disk(site, "uvicorn"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            learner.hand_in(reference)
        assert refused.value.status == 503
        assert json.load(refused.value)["error"]["code"] == "unavailable"
        assert learner.get("healthz") == b"ok\n"
        assert said(site, "the database can't be used")

    assert learner.verdict(learner.hand_in(reference)) == "accepted"


def test_a_worker_judges_what_it_could_not_store_when_there_is_room(site: Site, reference: str) -> None:
    learner = Learner(site.url)

    with full_disk(site, "celery"):
        state_url = learner.hand_in(reference)
        assert said(site, "the submission is judged when it answers again")
        assert learner.state(state_url)["state"] == "queued"

    assert learner.finished(state_url, 120)["verdict"] == "accepted"


@contextmanager
def full_disk(site: Site, program: str) -> Iterator[None]:
    """For one of the site's processes, which is not the verifier."""
    lines = {}
    for pid in descendants(site.pid):
        with suppress(OSError):  # a jail has ended meanwhile
            lines[pid] = Path(f"/proc/{pid}/cmdline").read_text()
    pid = next(pid for pid, line in lines.items() if program in line and "verifying" not in line)
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)


def said(site: Site, words: str, seconds: float = 60) -> bool:
    return _within(seconds, lambda: any(words in line for line in site.printed))


def _within(seconds: float, condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
