"""A deploy stops processes by SIGTERM: what runs is finished, in one attempt, and nobody is told of a fault."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.outage.department import PAIRS, Department, department

SLOW = "# accepted, slow\nimport time\n\ntime.sleep(4)\n\n\ndef halve(x):\n    return x / 2\n"


def test_worker_and_sandbox_finish_what_they_judge(tmp_path: Path) -> None:
    with department(tmp_path, people=20) as site:
        assert [site.post(session, SLOW) for session in site.sessions[:4]].count(None) == 0
        running = int(site.run("taken"))
        for pair in PAIRS:
            site.workers[pair].signal_to_stop()
            site.sandboxes[pair].signal_to_stop()
        for pair in PAIRS:
            site.workers[pair].stop()
            site.sandboxes[pair].stop()
        results, lines = site.results(), site.log_lines()

    assert running > 0
    assert [(result["verdict"], result["attempt"]) for result in results] == [("accepted", 1)] * 4
    assert [line for line in lines if line["event"] == "judging failed"] == []


def test_a_verifier_gives_back_what_it_verifies_and_one_that_was_killed_is_missed(tmp_path: Path) -> None:
    """A verification takes minutes, and a deploy does not wait for them."""
    with department(tmp_path, people=1) as site:
        site.verifier.start()
        run = site.run("verify").strip()
        verifying(site, run, attempt=1)
        site.verifier.stop()
        given_back = site.verification(run)

        site.verifier.start()
        verifying(site, run, attempt=1)
        site.verifier.kill()
        left = site.verification(run)

        site.run("later", run)
        site.verifier.start()
        again = verifying(site, run, attempt=2)
        lines = site.log_lines()

    assert (given_back["state"], given_back["attempt"], given_back["fault"]) == ("queued", 0, "")
    assert (left["state"], left["attempt"]) == ("running", 1)
    assert again["fault"] == ""
    assert [line["verification"] for line in lines if line["event"] == "the worker stops; another takes it"] == [run]


def verifying(site: Department, run: str, attempt: int) -> dict[str, Any]:
    """The verification once the first of its runs are judged in that attempt."""
    end = time.monotonic() + 90
    while True:
        found = site.verification(run)
        if found["state"] == "running" and found["attempt"] == attempt and found["done"]:
            return found
        assert time.monotonic() < end, found
        time.sleep(0.3)
