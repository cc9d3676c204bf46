"""Which core a job runs on.

A checker and its submission take turns, some hundred times in a job: while one computes, the other waits. On one core a
turn changes hands within microseconds, and what was said lies in the core's caches; on two, the core of the other is
asleep and has to be woken each time. So both stay on one core, the one with the fewest jobs. What a submission has
several threads for is the exception: while a check asks for them, its jail may use every core.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator


class Cores:
    """The cores that this process may use, and how many jobs run on each."""

    def __init__(self) -> None:
        self.all = frozenset(os.sched_getaffinity(0))
        self._lock = threading.Lock()
        self._jobs = dict.fromkeys(sorted(self.all), 0)

    @contextlib.contextmanager
    def one(self) -> Iterator[int]:
        """The core with the fewest jobs, for one more."""
        with self._lock:
            core = min(self._jobs, key=self._jobs.__getitem__)
            self._jobs[core] += 1
        try:
            yield core
        finally:
            with self._lock:
                self._jobs[core] -= 1
