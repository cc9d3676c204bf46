"""Whatever the broker does, one submission gets one result."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection

from judge.submissions import judging
from judge.submissions.models import CheckResult, State, Submission
from judge.submissions.tests.sandboxes import ACCEPTED, CHECKS, PASSED, RIGHT, Scripted
from sandbox.protocol import Outcome, Started, Verdict

HandIn = Callable[[str], Submission]


def test_a_redelivered_task_finds_nothing_to_claim(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    judging.judge(submission.pk, Scripted(*ACCEPTED))
    finished_at = Submission.objects.get().finished_at
    second = Scripted(Started(CHECKS), Outcome(Verdict.WRONG_ANSWER))

    judging.judge(submission.pk, second)

    assert second.jobs == []
    submission.refresh_from_db()
    assert (submission.verdict, submission.attempt, submission.finished_at) == (Verdict.ACCEPTED, 1, finished_at)


def test_a_doubled_task_does_not_judge_beside_the_first(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    first = judging.Attempt.claim(submission.pk)
    second = Scripted(*ACCEPTED)

    judging.judge(submission.pk, second)

    assert first is not None
    assert second.jobs == []
    assert Submission.objects.get().attempt == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_claims(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    claimed: list[object] = []
    together = threading.Barrier(8)

    def claim() -> judging.Attempt | None:
        while True:
            try:
                return judging.Attempt.claim(submission.pk)
            except OperationalError:
                # The tests' database in memory refuses where the real file makes a worker wait.
                time.sleep(0.01)

    def work() -> None:
        together.wait()
        if claim() is not None:
            claimed.append(threading.current_thread())
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(claimed) == 1
    assert Submission.objects.get().attempt == 1


def test_results_of_a_superseded_attempt_are_dropped(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    late = judging.Attempt.claim(submission.pk)
    assert late is not None
    late.release("taken for dead", [0], counter="lost")
    judging.judge(submission.pk, Scripted(*ACCEPTED))

    with pytest.raises(judging.Superseded):
        late.follow(Scripted(Started(CHECKS), Outcome(Verdict.WRONG_ANSWER)))

    submission.refresh_from_db()
    assert (submission.verdict, submission.attempt) == (Verdict.ACCEPTED, 2)
    assert [check.status for check in submission.checks.all()] == ["passed"] * 3


def test_an_attempt_that_was_superseded_before_its_end_leaves_no_check(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    late = judging.Attempt.claim(submission.pk)
    assert late is not None
    late.release("taken for dead", [0], counter="lost")
    newer = judging.Attempt.claim(submission.pk)

    with pytest.raises(judging.Superseded):
        late.follow(Scripted(*ACCEPTED))

    assert newer is not None
    assert not CheckResult.objects.exists()
    submission.refresh_from_db()
    assert (submission.state, submission.attempt) == (State.RUNNING, 2)


def test_a_superseded_attempt_can_not_give_the_submission_back(hand_in: HandIn) -> None:
    submission = hand_in(RIGHT)
    late = judging.Attempt.claim(submission.pk)
    assert late is not None
    late.release("taken for dead", [0], counter="lost")
    judging.judge(submission.pk, Scripted(*ACCEPTED))

    with pytest.raises(judging.Superseded):
        late.release("too late", [0], counter="lost")

    submission.refresh_from_db()
    assert (submission.state, submission.verdict) == (State.FINISHED, Verdict.ACCEPTED)
    assert submission.checks.count() == len(PASSED)
