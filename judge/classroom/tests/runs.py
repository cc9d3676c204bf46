"""Runs for reports: judged by the real worker's code, with results that a test writes down."""

from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.catalog.signatures import FORMAT
from judge.submissions import judging
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import CHECKS, Scripted
from sandbox.protocol import CheckFinished, CheckResult, Event, Outcome, Started, Status, Verdict

_STATUSES = {
    "p": Status.PASSED,
    "f": Status.FAILED,
    "e": Status.RUNTIME_ERROR,
    "u": Status.RUNTIME_ERROR,
    "t": Status.TIME_LIMIT,
    "n": Status.NOT_RUN,
}
_MESSAGES = {
    "f": "half: got 3, expected 2.",
    "e": "halve raised TypeError at line 2 of your file: no.",
    "u": "halve raised NotImplementedError at line 2 of your file.",
    "t": "It took longer than 1 s.",
}


def hand_in(user: User, problem: Problem, letters: str, source: str = "") -> Submission:
    """A finished run in which the checks of *Halving* ended so: `pfe` is passed, failed, raised."""
    submission = Submission.hand_in(user, Problem.objects.get(pk=problem.pk), source or f"# {letters}\n")
    judging.judge(submission.pk, Scripted(*_events(letters)))
    submission.refresh_from_db()
    return submission


def hand_in_a_fault(user: User, problem: Problem) -> Submission:
    """A run that failed through our fault."""
    submission = Submission.hand_in(user, Problem.objects.get(pk=problem.pk), "# fault\n")
    broken = Scripted(Outcome(Verdict.JUDGE_ERROR, "the template died"))
    for _ in range(len(judging.PAUSES_AFTER_FAULT) + 1):
        Submission.objects.filter(pk=submission.pk).update(due_at=timezone.now())
        judging.judge(submission.pk, broken)
    submission.refresh_from_db()
    return submission


def sign(problem: Problem) -> None:
    """As if the known mistakes of the current version, of which *Halving* has none, had their signatures."""
    assert problem.current is not None
    PackageVersion.objects.filter(pk=problem.current.pk).update(signed_format=FORMAT)


def _events(letters: str) -> list[Event]:
    results = [
        CheckFinished(CheckResult(check.id, _STATUSES[letter], message=_MESSAGES.get(letter, "")))
        for check, letter in zip(CHECKS, letters, strict=True)
    ]
    verdict = Verdict.ACCEPTED if set(letters) == {"p"} else Verdict.WRONG_ANSWER
    return [Started(CHECKS), *results, Outcome(verdict, ms=12.0)]
