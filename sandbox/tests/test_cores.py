"""Jobs are shared out among the cores."""

from __future__ import annotations

import contextlib
import os

from sandbox.cores import Cores


def test_a_job_gets_the_core_with_the_fewest_jobs() -> None:
    cores = Cores()
    with contextlib.ExitStack() as jobs:
        first = [jobs.enter_context(cores.one()) for _ in cores.all]
        second = [jobs.enter_context(cores.one()) for _ in cores.all]
        with cores.one():
            pass
        assert sorted(first) == sorted(second) == sorted(os.sched_getaffinity(0))
    assert {core for _ in range(2) for core in _taken(cores)} == cores.all


def _taken(cores: Cores) -> list[int]:
    with contextlib.ExitStack() as jobs:
        return [jobs.enter_context(cores.one()) for _ in cores.all]
