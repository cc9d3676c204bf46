import threading

from judge.repeating import Repeating


def test_a_failed_turn_is_followed_by_the_next() -> None:
    turns: list[int] = []
    third = threading.Event()

    def action() -> None:
        turns.append(len(turns))
        if len(turns) == 3:
            third.set()
        raise RuntimeError("this turn fails")

    repeating = Repeating("test", action, 0.001)
    repeating.start()
    assert third.wait(20)
    repeating.stop.set()
    repeating.join(20)
    assert not repeating.is_alive()


def test_what_was_stopped_does_nothing_more() -> None:
    turns: list[int] = []
    repeating = Repeating("test", lambda: turns.append(1), 0.001)
    repeating.stop.set()
    repeating.start()
    repeating.join(20)
    assert turns == []
