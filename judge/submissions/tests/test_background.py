"""What a worker does beside judging: rejudgements at once, known mistakes when learners leave the sandbox idle."""

import datetime
from collections.abc import Callable

import pytest
from django.utils import timezone

from judge.catalog.models import PackageVersion, Problem
from judge.catalog.package import parse
from judge.submissions import background
from judge.submissions.background import Background
from judge.submissions.models import Rejudgement, State, Submission
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, Scripted
from judge.tests import halving_mistakes

HandIn = Callable[[str], Submission]


@pytest.fixture
def problem(db: None) -> Problem:
    return Problem.publish(parse("halving", halving_mistakes.FILES)).problem


def is_signed() -> bool:
    return PackageVersion.objects.get().is_signed


def test_known_mistakes_are_judged_one_after_another(problem: Problem) -> None:
    sandbox = Scripted(*ACCEPTED)
    worker = Background(sandbox)

    assert [worker.step(), is_signed()] == [True, False]
    assert [worker.step(), is_signed()] == [True, True]
    assert not worker.step()
    assert len(sandbox.jobs) == 4  # each with two seeds


def test_learners_come_first(problem: Problem, hand_in: HandIn) -> None:
    worker = Background(Scripted(*ACCEPTED))
    hand_in(RIGHT)
    assert not worker.step()

    Submission.objects.update(state=State.FINISHED)
    assert not worker.step()  # somebody has just been here

    Submission.objects.update(created_at=timezone.now() - 2 * background.IDLE_AFTER)
    assert worker.step()


def test_on_a_site_that_is_never_idle_it_is_done_too(
    problem: Problem, hand_in: HandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = Background(Scripted(*ACCEPTED))
    hand_in(RIGHT)
    monkeypatch.setattr(background, "PATIENCE_SECONDS", 0.0)

    assert worker.step()


def test_a_rejudgement_waits_for_nobody(problem: Problem, hand_in: HandIn) -> None:
    hand_in(RIGHT)
    Submission.objects.update(state=State.FINISHED, verdict="accepted")
    Problem.publish(parse("halving", {**halving_mistakes.FILES, "starter.py": "# Start here.\n"}))
    rejudgement = Rejudgement.open(problem)
    hand_in(RIGHT)
    sandbox = Scripted(*ACCEPTED)

    assert Background(sandbox).step()

    assert rejudgement.items.get().verdict == "accepted"
    assert [job.owner for job in sandbox.jobs] == ["rejudgement"]


def test_a_fault_is_logged_and_the_thread_goes_on(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    worker = Background(Scripted())
    steps: list[datetime.datetime] = []

    def broken() -> bool:
        steps.append(timezone.now())
        if len(steps) == 2:
            worker.stop.set()
        raise ArithmeticError("a fault of ours")

    monkeypatch.setattr(worker, "step", broken)
    monkeypatch.setattr(background, "ROUND_SECONDS", 0.0)
    monkeypatch.setattr(background, "AFTER_FAULT_SECONDS", 0.0)

    worker.run()

    assert len(steps) == 2
    assert "the background failed; it goes on" in caplog.text
