"""A deploy stops processes by SIGTERM: what runs is finished, in one attempt, and nobody is told of a fault."""

from __future__ import annotations

import time
from pathlib import Path

from tests.outage.department import PAIRS, department

SLOW = "# accepted, slow\nimport time\n\ntime.sleep(2)\n\n\ndef halve(x):\n    return x / 2\n"


def test_worker_and_sandbox_finish_what_they_judge(tmp_path: Path) -> None:
    with department(tmp_path, people=20) as site:
        assert [site.post(session, SLOW) for session in site.sessions[:4]].count(None) == 0
        while {result["state"] for result in site.results()} != {"running"}:
            time.sleep(0.1)
        for pair in PAIRS:
            site.workers[pair].signal_to_stop()
            site.sandboxes[pair].signal_to_stop()
        for pair in PAIRS:
            site.workers[pair].stop()
            site.sandboxes[pair].stop()
        results, lines = site.results(), site.log_lines()

    assert [(result["verdict"], result["attempt"]) for result in results] == [("accepted", 1)] * 4
    assert [line for line in lines if line["event"] == "judging failed"] == []
