from collections.abc import Callable

from judge.accounts.models import User
from judge.catalog.models import Progress
from judge.submissions import judging
from judge.submissions.models import State, Submission
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, THIRD, Scripted
from sandbox.protocol import Status, Verdict

Judged = Callable[[str], Submission]


def test_a_right_solution_is_accepted_and_solves_the_problem(judged: Judged, learner: User) -> None:
    submission = judged(RIGHT)

    assert (submission.state, submission.verdict) == (State.FINISHED, Verdict.ACCEPTED)
    assert submission.counts == {"passed": 3, "failed": 0, "not_run": 0}
    assert submission.total == 3
    assert [(check.order, check.check_id, check.status) for check in submission.checks.all()] == [
        (0, "two", Status.PASSED),
        (1, "zero", Status.PASSED),
        (2, "unchanged", Status.PASSED),
    ]
    assert submission.attempt == 1
    assert submission.ms is not None
    assert submission.ms > 0
    assert Progress.has_solved(learner, submission.problem)


def test_a_wrong_solution_is_told_what_was_expected(judged: Judged, learner: User) -> None:
    submission = judged(THIRD)

    assert submission.verdict == Verdict.WRONG_ANSWER
    assert submission.counts == {"passed": 2, "failed": 1, "not_run": 0}
    failed = submission.checks.get(status=Status.FAILED)
    assert failed.check_id == "two"
    assert "expected 1, got 0.666667" in failed.message
    assert failed.hint == "Divide by **two**."
    assert failed.details is not None
    assert failed.details["expected"] == [1.0, 2.0]
    assert Progress.objects.get(user=learner, problem=submission.problem).solved_at is None


def test_the_checks_are_known_from_the_first_run_on(judged: Judged, hand_in: Judged) -> None:
    assert hand_in(RIGHT).total == 0

    submission = judged(RIGHT)

    assert [check["title"] for check in submission.version.planned] == [
        "Two becomes one",
        "Zero stays zero",
        "The input is not changed",
    ]
    assert hand_in(RIGHT).total == 3


def test_a_solved_problem_stays_solved(judged: Judged, learner: User) -> None:
    first = judged(RIGHT)
    judged(THIRD)

    progress = Progress.objects.get(user=learner, problem=first.problem)
    assert progress.solved_at == first.finished_at


def test_what_a_submission_prints_is_kept_inert(judged: Judged) -> None:
    submission = judged("print('\\x1b[31mred\\x00\\ud800')\n" + RIGHT)

    assert submission.verdict == Verdict.ACCEPTED
    assert submission.printed.startswith("␛[31mred␀")


def test_the_same_text_meets_the_same_inputs_and_another_text_others(hand_in: Judged) -> None:
    sandbox = Scripted(*ACCEPTED)

    for source in (RIGHT, RIGHT, THIRD):
        judging.judge(hand_in(source).pk, sandbox)

    first, again, other = (job.seed for job in sandbox.jobs)
    assert first == again != other
