"""A broken sandbox is our fault: said as ours, tried again a bounded number of times, never counted."""

import datetime
from collections.abc import Callable

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import Progress
from judge.submissions import judging
from judge.submissions.models import State, Submission
from judge.submissions.report import state_of
from judge.submissions.tests.sandboxes import ACCEPTED, CHECKS, PASSED, RIGHT, Scripted
from sandbox.client import SandboxLost, SandboxUnavailable
from sandbox.protocol import BUSY_FACTOR, Outcome, Started, Verdict

HandIn = Callable[[str], Submission]
AWAY = SandboxUnavailable("no sandbox answers at /nowhere")
LOST = SandboxLost("the sandbox went away in the middle of a job")


def again(submission: Submission) -> Submission:
    return Submission.objects.with_problem().get(pk=submission.pk)


def make_due(submission: Submission) -> None:
    Submission.objects.filter(pk=submission.pk).update(due_at=timezone.now())


def test_a_sandbox_that_is_away_gives_the_submission_back(hand_in: HandIn, learner: User) -> None:
    submission = hand_in(RIGHT)
    before = timezone.now()

    judging.judge(submission.pk, Scripted(AWAY))

    submission = again(submission)
    assert (submission.state, submission.verdict, submission.faults) == (State.QUEUED, "", 1)
    assert submission.rung_at is None  # the sweep rings when it is due
    pause = submission.due_at - before
    assert datetime.timedelta(seconds=1) <= pause < datetime.timedelta(seconds=2)
    state = state_of(submission, learner)
    assert state["judge_fault"] is True
    assert state["sentence"] == "Our fault: the judge restarted; trying again"
    assert "Your code is saved" in state["message"]
    assert "/nowhere" not in state["message"]


def test_it_is_not_tried_before_the_pause_is_over(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    judging.judge(submission.pk, Scripted(AWAY))
    sandbox = Scripted(*ACCEPTED)

    judging.judge(submission.pk, sandbox)

    assert sandbox.jobs == []
    assert again(submission).state == State.QUEUED


def test_a_sandbox_that_comes_back_judges_it_as_if_nothing_had_been(hand_in: HandIn, learner: User) -> None:
    submission = hand_in(RIGHT)
    judging.judge(submission.pk, Scripted(Started(CHECKS), *PASSED[:2], AWAY))
    assert again(submission).checks.count() == 0
    make_due(submission)

    judging.judge(submission.pk, Scripted(*ACCEPTED))

    submission = again(submission)
    assert (submission.state, submission.verdict, submission.attempt) == (State.FINISHED, Verdict.ACCEPTED, 2)
    assert [check.check_id for check in submission.checks.all()] == ["two", "zero", "unchanged"]
    state = state_of(submission, learner)
    assert (state["judge_fault"], state["sentence"], state["message"]) == (False, "Solved", "")


@pytest.mark.parametrize(
    ("script", "attempts", "reason"),
    [
        ([AWAY], 65, "The sandbox can't be used: no sandbox answers at /nowhere."),
        ([Started(CHECKS), LOST], 5, "The sandbox can't be used: the sandbox went away in the middle of a job."),
        ([LOST], 5, "The sandbox can't be used: the sandbox went away in the middle of a job."),
        ([OperationalError("no space left on device")], 65, "The database can't be used: no space left on device."),
        ([Outcome(Verdict.JUDGE_ERROR, "check two is broken")], 3, "check two is broken"),
        ([Started(CHECKS)], 3, "The sandbox ended the job without an outcome."),
        ([RuntimeError("a bug")], 3, "RuntimeError: a bug"),
    ],
    ids=["away", "lost", "lost at once", "database", "judge_error", "no-outcome", "bug"],
)
def test_it_ends_after_a_bounded_number_of_attempts_and_does_not_count(
    hand_in: HandIn, learner: User, administrator: User, script: list[object], attempts: int, reason: str
) -> None:
    submission = hand_in(RIGHT)
    sandbox = Scripted(*script)  # type: ignore[arg-type]  # events and exceptions, as parametrized

    for _ in range(70):
        make_due(submission)
        judging.judge(submission.pk, sandbox)

    submission = again(submission)
    assert len(sandbox.jobs) == submission.attempt == attempts
    assert (submission.state, submission.verdict) == (State.FINISHED, Verdict.JUDGE_ERROR)
    assert not Progress.objects.exists()
    state = state_of(submission, learner)
    assert state["sentence"] == "Our fault: this run could not be judged. It does not count"
    assert state["judge_fault"] is True
    assert submission.reference in state["message"]
    assert reason not in state["message"]
    assert reason in state_of(submission, administrator)["message"]


def test_each_kind_of_fault_is_counted_apart(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    for script in [[AWAY]] * 6 + [[LOST]] * 4 + [[RuntimeError("a bug")]] * 2:
        make_due(submission)
        judging.judge(submission.pk, Scripted(*script))

    submission = again(submission)
    assert (submission.faults, submission.lost, submission.broken) == (12, 4, 2)
    make_due(submission)
    judging.judge(submission.pk, Scripted(*ACCEPTED))

    submission = again(submission)
    assert (submission.verdict, submission.attempt, submission.faults) == (Verdict.ACCEPTED, 13, 0)


def test_a_database_that_is_away_is_said_and_nothing_is_raised(
    hand_in: HandIn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    submission = hand_in(RIGHT)

    def away(*_: object) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(judging.Attempt, "claim", away)
    judging.judge(submission.pk, Scripted(*ACCEPTED))

    assert "the database can't be used; the submission is judged when it answers again" in caplog.text


def test_the_pauses_grow(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    pauses = []
    for _ in judging.PAUSES_WHEN_AWAY:
        make_due(submission)
        judging.judge(submission.pk, Scripted(AWAY))
        pauses.append(round((again(submission).due_at - timezone.now()).total_seconds()))

    assert pauses == [1, 3, 10, 30, *[60] * 60]


def test_a_longer_outage_is_called_one(hand_in: HandIn, learner: User, administrator: User) -> None:
    submission = hand_in(RIGHT)
    for _ in range(3):
        make_due(submission)
        judging.judge(submission.pk, Scripted(AWAY))

    submission = again(submission)
    assert state_of(submission, learner)["sentence"] == "Our fault: judging is down; your code is saved"
    assert state_of(submission, administrator)["message"] == (
        "The sandbox can't be used: no sandbox answers at /nowhere. "
        f"Reference {submission.reference}. Look for it in the worker's log."
    )


def test_a_fault_does_not_make_a_problem_tried(signed_in: Client, hand_in: HandIn, learner: User) -> None:
    submission = hand_in(RIGHT)
    for _ in range(70):
        make_due(submission)
        judging.judge(submission.pk, Scripted(AWAY))

    assert "new" in {row["state"] for row in signed_in.get("/").context["rows"]}


def test_a_sandbox_that_hangs_past_every_limit_is_given_up(hand_in: HandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = hand_in(RIGHT)
    given = (1 + 5) * BUSY_FACTOR  # by the limits of the problem, on the busiest machine
    monkeypatch.setattr(judging, "GRACE_SECONDS", -given - 1)

    judging.judge(submission.pk, Scripted(*ACCEPTED))

    assert "long after the time limit" in again(submission).fault
