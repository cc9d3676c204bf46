"""Who is judged next, and who is told to come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from sandbox.queue import FairQueue, QueueFull


def patient(place: int) -> None:
    """A job that waits for as long as it takes."""


class Visit(threading.Thread):
    """A job that takes a turn and keeps it until it is told to leave."""

    def __init__(self, queue: FairQueue, owner: str, watch: Callable[[int], None] = patient) -> None:
        super().__init__(daemon=True)
        self._queue, self._owner, self._watch = queue, owner, watch
        self.entered, self.may_leave = threading.Event(), threading.Event()
        self.places: list[int] = []
        self.start()

    def run(self) -> None:
        with self._queue.turn(self._owner, self.places.append if self._watch is patient else self._watch):
            self.entered.set()
            self.may_leave.wait(20)


def arrived(queue: FairQueue, waiting: int) -> None:
    end = time.monotonic() + 10
    while len(queue) != waiting:
        assert time.monotonic() < end
        time.sleep(0.005)


def test_as_many_run_at_once_as_are_allowed() -> None:
    queue = FairQueue(running=2, waiting=10)
    visits = [Visit(queue, "a"), Visit(queue, "b")]
    assert all(visit.entered.wait(5) for visit in visits)
    third = Visit(queue, "c")
    arrived(queue, 1)
    assert not third.entered.is_set()
    visits[0].may_leave.set()
    assert third.entered.wait(5)
    assert third.places[0] == 1


def test_owners_are_served_in_turn() -> None:
    queue = FairQueue(running=1, waiting=10)
    first = Visit(queue, "eager")
    assert first.entered.wait(5)
    waiting: list[Visit] = []
    for owner in ("eager", "eager", "calm", "eager"):
        waiting.append(Visit(queue, owner))
        arrived(queue, len(waiting))
    served = []
    last = first
    for _ in waiting:
        last.may_leave.set()
        end = time.monotonic() + 10
        while not (entered := [visit for visit in waiting if visit.entered.is_set() and visit not in served]):
            assert time.monotonic() < end
            time.sleep(0.005)
        (last,) = entered
        served.append(last)
    assert served.index(waiting[2]) == 1
    last.may_leave.set()


def test_a_full_queue_says_so() -> None:
    queue = FairQueue(running=1, waiting=1)
    first = Visit(queue, "a")
    assert first.entered.wait(5)
    second = Visit(queue, "b")
    arrived(queue, 1)
    with pytest.raises(QueueFull, match="1 jobs wait already"), queue.turn("c", patient):
        pass
    first.may_leave.set()
    assert second.entered.wait(5)
    second.may_leave.set()


def test_a_job_that_gives_up_leaves_its_place() -> None:
    queue = FairQueue(running=1, waiting=5)
    first = Visit(queue, "a")
    assert first.entered.wait(5)

    def impatient(place: int) -> None:
        raise TimeoutError("gave up")

    with pytest.raises(TimeoutError), queue.turn("b", impatient):
        pass
    assert len(queue) == 0
    first.may_leave.set()
