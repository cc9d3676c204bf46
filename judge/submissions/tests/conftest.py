from collections.abc import Callable

import pytest

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.submissions import judging
from judge.submissions.models import Submission
from sandbox.client import Client


@pytest.fixture
def hand_in(learner: User, problem: Problem) -> Callable[[str], Submission]:
    """Stores a submission of `learner`, and rings nowhere."""
    return lambda source: Submission.hand_in(learner, Problem.objects.get(pk=problem.pk), source)


@pytest.fixture
def judged(hand_in: Callable[[str], Submission], sandbox_client: Client) -> Callable[[str], Submission]:
    """A submission that the real sandbox has judged."""

    def judge(source: str) -> Submission:
        submission = hand_in(source)
        judging.judge(submission.pk, sandbox_client)
        return Submission.objects.with_problem().get(pk=submission.pk)

    return judge
