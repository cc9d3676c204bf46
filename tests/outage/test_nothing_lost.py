"""Everything is killed in the middle of judging, and every submission ends with exactly one verdict, the right one.

Web, workers, sandboxes, templates, Redis and PostgreSQL are killed in turn, while submissions go through. Each is
started again after a moment, as a process manager does it.
"""

from __future__ import annotations

import collections
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.outage.department import PAIRS, Department, department
from tests.outage.sources import expected, source

SUBMISSIONS = int(os.environ.get("PAPERJUDGE_TEST_SUBMISSIONS", "200"))
"""`make outage` sends a thousand."""
BY_WEB = 40
ROUNDS = 2 if SUBMISSIONS >= 1000 else 1
CALM_SECONDS = 1.5
pytestmark = pytest.mark.timeout(1200)


def test_whatever_is_killed_each_submission_ends_with_its_one_right_verdict(tmp_path: Path) -> None:
    with department(tmp_path, people=SUBMISSIONS // 2 + 20) as site:
        feeder = site.feed(SUBMISSIONS)
        visitors = Visitors(site, BY_WEB)
        visitors.start()
        for _ in range(ROUNDS):
            for strike in (_worker, _sandbox, _template, _redis, _postgresql, _web):
                time.sleep(CALM_SECONDS)
                strike(site)
        assert feeder.wait(300) == 0
        visitors.join(120)
        site.wait_until_finished(300)
        results, lines = site.results(), site.log_lines()

    assert len(results) >= SUBMISSIONS + len(visitors.acknowledged)
    assert visitors.acknowledged <= {result["id"] for result in results}
    wrong = [result for result in results if result["verdict"] != expected(result["source"])]
    assert wrong == []
    assert {result["state"] for result in results} == {"finished"}
    assert {tuple(result["checks"]) for result in results} == {(0, 1, 2)}
    judged = collections.Counter(line["submission"] for line in lines if line["event"] == "judged")
    assert max(judged.values()) == 1
    reasons = collections.Counter(line.get("submission") for line in lines if line["event"] == "judging failed")
    again = [result for result in results if result["attempt"] > 1]
    assert len(again) >= 3, "hardly anything was hit"
    print(f"{len(results)} submissions, {len(again)} of them tried again: {dict(_faults(lines))}")
    unexplained = [result for result in again if reasons[result["id"]] < result["attempt"] - 1]
    assert unexplained == []


def _faults(lines: list[dict[str, Any]]) -> collections.Counter[str]:
    return collections.Counter(line["fault"].split(":")[0][:60] for line in lines if line["event"] == "judging failed")


class Visitors(threading.Thread):
    """Learners with a browser: who gets no answer hands in again."""

    def __init__(self, site: Department, count: int) -> None:
        super().__init__(name="visitors", daemon=True)
        self._site = site
        self._count = count
        self.acknowledged: set[str] = set()

    def run(self) -> None:
        for number in range(self._count):
            session = self._site.sessions[number % len(self._site.sessions)]
            while (found := self._site.post(session, source(10_000 + number))) is None:
                time.sleep(0.2)
            self.acknowledged.add(found)
            time.sleep(0.2)


def _worker(site: Department) -> None:
    _kill_and_start(site.workers["a"].kill, site.workers["a"].start)


def _sandbox(site: Department) -> None:
    _kill_and_start(site.sandboxes["a"].kill, site.sandboxes["a"].start)


def _template(site: Department) -> None:
    """Nobody starts it again but the sandbox itself."""
    for pair in PAIRS:
        if (pid := site.template_pid(pair)) is not None:
            os.kill(pid, signal.SIGKILL)


def _redis(site: Department) -> None:
    """It is emptied, and then away for a while; it comes back empty."""
    site.empty_broker()
    time.sleep(0.5)
    _kill_and_start(site.redis.kill, site.redis.start)


def _postgresql(site: Department) -> None:
    """A restart, as an update of the system does it: connections are cut, running transactions are lost."""
    _kill_and_start(lambda: site.postgresql.stop(signal.SIGQUIT), site.postgresql.start)


def _web(site: Department) -> None:
    _kill_and_start(site.web.kill, site.web.start)


def _kill_and_start(kill: Callable[[], None], start: Callable[[], None]) -> None:
    kill()
    time.sleep(0.5)
    start()
