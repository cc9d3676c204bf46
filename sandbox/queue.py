"""Who is judged next: owners in turn, so that one who submits a hundred times waits behind himself."""

from __future__ import annotations

import collections
import contextlib
import threading
from collections.abc import Callable, Iterator

WATCH_SECONDS = 0.25
"""How often a waiting job looks whether it is still wanted and where it stands."""


class QueueFull(Exception):
    """There is no place to wait."""


class FairQueue:
    """Admits up to `running` jobs at once, and lets up to `waiting` wait."""

    def __init__(self, running: int, waiting: int) -> None:
        self._running = running
        self._capacity = waiting
        self._changed = threading.Condition()
        self._active = 0
        self._waiting: collections.OrderedDict[str, collections.deque[object]] = collections.OrderedDict()

    @property
    def active(self) -> int:
        return self._active

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @contextlib.contextmanager
    def turn(self, owner: str, watch: Callable[[int], None]) -> Iterator[None]:
        """Waits for a turn of `owner` and holds it. `watch` is called with the place in line, and may raise to give up.

        Raises `QueueFull`.
        """
        ticket = object()
        with self._changed:
            if len(self) >= self._capacity and self._active >= self._running:
                raise QueueFull(f"{len(self)} jobs wait already")
            self._waiting.setdefault(owner, collections.deque()).append(ticket)
            try:
                told = 0
                while self._active >= self._running or self._next() is not ticket:
                    place = self._place(ticket)
                    if place != told:
                        watch(place)
                        told = place
                    self._changed.wait(WATCH_SECONDS)
                    watch(told)
            except BaseException:
                self._leave(owner, ticket)
                raise
            self._leave(owner, ticket)
            if owner in self._waiting:
                self._waiting.move_to_end(owner)
            self._active += 1
        try:
            yield
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _leave(self, owner: str, ticket: object) -> None:
        self._waiting[owner].remove(ticket)
        if not self._waiting[owner]:
            del self._waiting[owner]
        self._changed.notify_all()

    def _next(self) -> object:
        return next(iter(self._waiting.values()))[0]

    def _place(self, ticket: object) -> int:
        """1 for the next: one of each owner in turn, then the second of each."""
        rounds = [
            (depth, turn, waiting)
            for turn, line in enumerate(self._waiting.values())
            for depth, waiting in enumerate(line)
        ]
        ordered = sorted(rounds, key=lambda entry: entry[:2])
        return 1 + next(place for place, entry in enumerate(ordered) if entry[2] is ticket)
