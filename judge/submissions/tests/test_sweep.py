import datetime
from collections.abc import Callable

import pytest
from django.utils import timezone

from judge import clock
from judge.submissions import judging, sweep
from judge.submissions.models import State, Submission
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, Scripted
from sandbox.protocol import Verdict

HandIn = Callable[[str], Submission]


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the sweep told the broker."""
    ids: list[object] = []
    monkeypatch.setattr(sweep, "ring", ids.append)
    return ids


def set_back(submission: Submission, field: str, seconds: float) -> None:
    moment = timezone.now() - datetime.timedelta(seconds=seconds)
    Submission.objects.filter(pk=submission.pk).update(**{field: moment})


def test_what_was_rung_for_a_moment_ago_is_left_alone(hand_in: HandIn, rung: list[object]) -> None:
    hand_in(RIGHT)

    sweep.sweep()

    assert rung == []


def test_what_the_broker_lost_is_rung_for_again_but_not_each_time(hand_in: HandIn, rung: list[object]) -> None:
    submission = hand_in(RIGHT)
    set_back(submission, "rung_at", 31)

    sweep.sweep()
    sweep.sweep()

    assert rung == [submission.pk]


def test_what_could_not_be_rung_for_is_rung_for_at_once(hand_in: HandIn, rung: list[object]) -> None:
    submission = hand_in(RIGHT)
    Submission.objects.update(rung_at=None)

    sweep.sweep()

    assert rung == [submission.pk]


def test_a_pause_is_kept(hand_in: HandIn, rung: list[object]) -> None:
    submission = hand_in(RIGHT)
    later = timezone.now() + datetime.timedelta(seconds=60)
    Submission.objects.update(attempt=1, rung_at=None, due_at=later)

    sweep.sweep()
    assert rung == []

    set_back(submission, "due_at", 0)
    sweep.sweep()
    assert rung == [submission.pk]


def test_what_a_dead_worker_held_is_judged_by_another(hand_in: HandIn, rung: list[object]) -> None:
    submission = hand_in(RIGHT)
    judging.Attempt.claim(submission.pk)
    set_back(submission, "alive_at", 31)

    sweep.sweep()

    submission.refresh_from_db()
    assert (submission.state, submission.faults) == (State.QUEUED, 1)
    assert submission.fault == "The worker that held it went away."
    set_back(submission, "due_at", 0)
    sweep.sweep()
    assert rung == [submission.pk]
    judging.judge(submission.pk, Scripted(*ACCEPTED))
    submission.refresh_from_db()
    assert (submission.verdict, submission.attempt) == (Verdict.ACCEPTED, 2)


def test_a_worker_that_lives_keeps_what_it_holds(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    judging.Attempt.claim(submission.pk)
    set_back(submission, "alive_at", 20)

    sweep.sweep()

    submission.refresh_from_db()
    assert submission.state == State.RUNNING


def test_a_submission_that_kills_workers_is_given_up(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)

    for _ in range(10):
        set_back(submission, "due_at", 0)
        judging.Attempt.claim(submission.pk)
        set_back(submission, "alive_at", 31)
        sweep.sweep()

    submission.refresh_from_db()
    assert (submission.state, submission.verdict) == (State.FINISHED, Verdict.JUDGE_ERROR)
    assert submission.attempt == 5


def test_a_clock_that_is_set_back_holds_nothing_up(
    hand_in: HandIn, rung: list[object], caplog: pytest.LogCaptureFixture
) -> None:
    waiting, tried, held = (hand_in(RIGHT) for _ in range(3))
    judging.Attempt.claim(tried.pk)
    judging.Attempt.claim(held.pk)
    Submission.objects.filter(pk=tried.pk).update(state=State.QUEUED)
    for field in ("due_at", "rung_at", "alive_at"):
        for submission in (waiting, tried, held):
            set_back(submission, field, -3600)  # all was written an hour ahead of what the clock says now

    sweep.sweep()

    assert set(rung) == {waiting.pk, tried.pk}
    assert "a clock was set back; times ahead of now were mended" in caplog.text
    set_back(held, "alive_at", 31)
    sweep.sweep()
    held.refresh_from_db()
    assert (held.state, held.fault) == (State.QUEUED, "The worker that held it went away.")
    judging.judge(tried.pk, Scripted(*ACCEPTED))
    tried.refresh_from_db()
    assert tried.verdict == Verdict.ACCEPTED


def test_a_clock_that_is_set_forward_costs_an_attempt_and_no_verdict(
    hand_in: HandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = hand_in(RIGHT)
    slow = judging.Attempt.claim(submission.pk)
    assert slow is not None
    real = clock.now
    monkeypatch.setattr(clock, "now", lambda: real() + datetime.timedelta(hours=1))

    sweep.sweep()
    with pytest.raises(judging.Superseded):
        slow.follow(Scripted(*ACCEPTED))
    set_back(submission, "due_at", 0)
    judging.judge(submission.pk, Scripted(*ACCEPTED))

    submission.refresh_from_db()
    assert (submission.verdict, submission.attempt, submission.checks.count()) == (Verdict.ACCEPTED, 2, 3)
