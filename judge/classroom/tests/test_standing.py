"""The standing of a learner is written with every result, whatever the order in which runs end."""

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.classroom.tests.runs import hand_in, hand_in_a_fault
from judge.submissions.models import Standing, Submission


def standing(user: User) -> Standing:
    return Standing.objects.get(user=user)


def test_each_run_is_counted_when_it_ends(learner: User, problem: Problem) -> None:
    first = hand_in(learner, problem, "fpp")
    latest = hand_in(learner, problem, "ppp")

    stored = standing(learner)
    assert (stored.first, stored.latest, stored.latest_at) == (first, latest, latest.created_at)
    assert (stored.attempts, stored.attempts_to_solve) == (2, 2)
    assert (stored.first_outcomes, stored.latest_outcomes) == ("fpp", "ppp")


def test_a_fault_of_ours_counts_nothing(learner: User, problem: Problem) -> None:
    hand_in_a_fault(learner, problem)
    assert not Standing.objects.exists()

    latest = hand_in(learner, problem, "fpp")
    hand_in_a_fault(learner, problem)

    assert (standing(learner).attempts, standing(learner).latest) == (1, latest)


def test_a_run_that_ends_after_a_later_one_takes_its_place(learner: User, problem: Problem) -> None:
    hand_in(learner, problem, "fpp")
    hand_in(learner, problem, "ppp")
    late = Submission.objects.get(number=1)
    Standing.objects.all().delete()
    Standing.record(Submission.objects.get(number=2), again=True)
    Submission.objects.filter(pk=late.pk).update(outcomes="ffp")

    Standing.record(late)

    assert standing(learner).first_outcomes == "ffp"
    assert standing(learner).attempts == 2


def test_what_is_counted_step_by_step_is_what_is_counted_at_once(learner: User, problem: Problem) -> None:
    for letters in ("uuu", "fup", "fpp", "nnn", "fpp", "fpp", "ppp", "pfp"):
        hand_in(learner, problem, letters)
    step_by_step = Standing.objects.values().get()

    Standing.record(Submission.objects.get(number=8), again=True)

    assert Standing.objects.values().get() == step_by_step
