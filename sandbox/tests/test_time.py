"""Time that is charged: CPU time over all threads, and an end for what only waits."""

from __future__ import annotations

import re
import threading

import pytest

from sandbox.client import Client
from sandbox.protocol import Limits
from sandbox.tests.packages import judge, with_body

LIMITS = Limits(check_seconds=0.6, total_seconds=30.0, memory_mb=256)


def test_a_busy_machine_fails_nobody(sandbox_client: Client) -> None:
    """Six at once on two cores: each needs most of its CPU time and gets a third of a core."""
    body = "import time\nend = time.process_time() + 0.35\nwhile time.process_time() < end: pass\nreturn value + 1"
    verdicts = []

    def submit() -> None:
        judged = judge(
            sandbox_client, with_body("next", body + " if isinstance(value, int) else int(None)"), limits=LIMITS
        )
        verdicts.append((judged.outcome.verdict, judged["next"].message))

    threads = [threading.Thread(target=submit) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == [("accepted", "")] * 6


def test_waiting_is_told_from_computing(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("next", "import time\ntime.sleep(60)"), limits=LIMITS)
    assert judged["next"].status == "time_limit"
    assert "in which your code hardly computed: it waits for something." in judged["next"].message
    assert judged["copies"].status == "passed"


@pytest.mark.parametrize("threads", [1, 8])
def test_cpu_time_is_charged_over_all_threads(sandbox_client: Client, threads: int) -> None:
    body = (
        "import threading, zlib\ndata = bytes(1 << 20)\ndef work():\n    while True: zlib.compress(data, 9)\n"
        f"workers = [threading.Thread(target=work, daemon=True) for _ in range({threads})]\n"
        "for worker in workers: worker.start()\nworkers[0].join()"
    )
    judged = judge(sandbox_client, with_body("next", body), limits=LIMITS)
    assert judged["next"].status == "time_limit"
    # Limits stretch on a slow machine.
    assert re.match(r"No result after \d+(\.\d)? s, so your code was stopped", judged["next"].message)
