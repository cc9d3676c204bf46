"""Judging runs again in the browser: what would change is seen first, then applied step by step, then taken back."""

from collections.abc import Callable

import pytest
from django.test import Client

from judge.accounts.models import Action, AuditEntry, User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.classroom.tests.runs import hand_in, hand_in_a_fault
from judge.submissions import rejudging
from judge.submissions.models import Diagnosis, Rejudged, Rejudgement, Stage, Standing, Submission
from judge.submissions.models import rejudgement as rejudgement_module
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, THIRD, Scripted
from judge.tests import halving
from sandbox.client import Client as Sandbox
from sandbox.protocol import Verdict


@pytest.fixture
def judge_all() -> Callable[[], None]:
    """A worker that now judges everything as accepted."""

    def judge_all() -> None:
        while rejudging.judge_one(Scripted(*ACCEPTED)):
            pass

    return judge_all


def the_rejudgement() -> Rejudgement:
    return Rejudgement.objects.get()


def verdicts() -> list[str]:
    return list(Submission.objects.order_by("number").values_list("verdict", flat=True))


def test_one_run(learner: User, problem: Problem, teacher: Client, judge_all: Callable[[], None]) -> None:
    run = hand_in(learner, problem, "fpp")
    started = teacher.post(f"/teach/submissions/{run.pk}/again/", follow=True)
    assert "0 of 1 runs are judged again" in started.content.decode()

    judge_all()
    page = teacher.get(f"/teach/rejudgements/{the_rejudgement().pk}/").content.decode()

    assert "wrong answer → accepted" in page
    assert verdicts() == ["wrong_answer"], "nothing has changed yet"


def test_applied_then_undone(learner: User, problem: Problem, teacher: Client, judge_all: Callable[[], None]) -> None:
    run = hand_in(learner, problem, "fpp")
    teacher.post(f"/teach/submissions/{run.pk}/again/")
    judge_all()
    page = f"/teach/rejudgements/{the_rejudgement().pk}/"

    teacher.post(f"{page}apply/")
    assert teacher.get(f"{page}progress/").json()["stage"] == "applying"
    while rejudging.change_some():
        pass
    assert (the_rejudgement().stage, verdicts()) == (Stage.APPLIED, ["accepted"])
    assert Standing.objects.get().attempts_to_solve == 1

    teacher.post(f"{page}undo/")
    while rejudging.change_some():
        pass
    assert (the_rejudgement().stage, verdicts()) == (Stage.UNDONE, ["wrong_answer"])
    assert Standing.objects.get().attempts_to_solve is None
    actions = list(AuditEntry.objects.filter(actor="ina").order_by("pk").values_list("actor", "action"))
    assert actions == [("ina", Action.REJUDGED), ("ina", Action.APPLIED), ("ina", Action.UNDONE)]


def test_what_a_search_finds(learner: User, other: User, problem: Problem, teacher: Client) -> None:
    for letters in ("fpp", "pfp"):
        hand_in(learner, problem, letters)
    hand_in(other, problem, "fpp")
    address = "/teach/rejudgements/found/?problem=halving&check=two"

    assert "Judge 2 runs again" in teacher.get(address).content.decode()
    teacher.post(address)

    assert sorted(Rejudged.objects.values_list("submission__user__username", "submission__number")) == [
        ("ada", 1),
        ("ben", 1),
    ]
    assert the_rejudgement().chosen == "two failed"


def test_what_failed_through_our_fault_can_be_judged_after_all(
    learner: User, problem: Problem, teacher: Client, judge_all: Callable[[], None]
) -> None:
    run = hand_in_a_fault(learner, problem)
    teacher.post("/teach/rejudgements/found/?problem=halving&verdict=judge_error")
    judge_all()

    the_rejudgement().apply()

    run.refresh_from_db()
    assert (run.verdict, run.faults, run.total, run.outcomes) == (Verdict.ACCEPTED, 0, 3, "ppp")
    assert Standing.objects.get().attempts == 1

    the_rejudgement().undo()

    run.refresh_from_db()
    assert (run.verdict, run.faults) == (Verdict.JUDGE_ERROR, 3)
    assert not Standing.objects.exists()


def test_undone_it_has_the_diagnoses_that_it_had(
    learner: User, problem: Problem, judge_all: Callable[[], None]
) -> None:
    run = hand_in(learner, problem, "fpp")
    Diagnosis.objects.create(submission=run, order=0, mistake="wrong/x.py", sureness="sure", checks=["two"])
    Submission.objects.update(pattern="0123456789abcdef", diagnosed=True)
    rejudgement = Rejudgement.choose(problem, Submission.objects.all(), None, "one")
    judge_all()
    rejudgement.apply()
    assert not Diagnosis.objects.exists()

    rejudgement.undo()

    assert Diagnosis.objects.values_list("mistake", "checks").get() == ("wrong/x.py", ["two"])
    assert Submission.objects.values_list("pattern", "diagnosed").get() == ("0123456789abcdef", True)


def test_a_whole_problem_by_a_new_version(
    learner: User, problem: Problem, teacher: Client, sandbox_client: Sandbox
) -> None:
    hand_in(learner, problem, "ppp", THIRD)
    hand_in(learner, problem, "fpp", RIGHT)
    Problem.publish(parse("halving", halving.FILES | {"statement.md": halving.FILES["statement.md"] + "\nMore.\n"}))

    teacher.post("/teach/rejudgements/problem/halving/")
    while rejudging.judge_one(sandbox_client):
        pass

    page = teacher.get(f"/teach/rejudgements/{the_rejudgement().pk}/").content.decode()
    assert "accepted → wrong answer" in page
    assert "wrong answer → accepted" in page


def test_it_goes_on_where_it_stopped(
    learner: User,
    problem: Problem,
    teacher: Client,
    judge_all: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rejudgement_module, "AT_ONCE", 1)
    for _ in range(3):
        hand_in(learner, problem, "fpp")
    teacher.post("/teach/rejudgements/found/?problem=halving")
    judge_all()
    the_rejudgement().begin_applying()

    assert rejudging.change_some()
    progress = teacher.get(f"/teach/rejudgements/{the_rejudgement().pk}/progress/").json()
    assert progress["sentence"] == "Applying: 1 of 3 runs have their new results"
    while rejudging.change_some():
        pass

    assert verdicts() == ["accepted"] * 3


def test_of_two_rejudgements_of_a_problem_one_changes_it_at_a_time(
    learner: User, problem: Problem, teacher: Client, judge_all: Callable[[], None]
) -> None:
    runs = [hand_in(learner, problem, "fpp") for _ in range(2)]
    for run in runs:
        teacher.post(f"/teach/submissions/{run.pk}/again/")
    judge_all()
    one, two = Rejudgement.objects.order_by("created_at")
    one.begin_applying()

    refused = teacher.post(f"/teach/rejudgements/{two.pk}/apply/", follow=True).content.decode()

    assert "Another rejudgement of this problem is being applied or undone: wait for its end." in refused


def test_what_is_not_judged_yet_can_be_given_up_but_not_applied(
    learner: User, problem: Problem, teacher: Client
) -> None:
    run = hand_in(learner, problem, "fpp")
    teacher.post(f"/teach/submissions/{run.pk}/again/")
    page = f"/teach/rejudgements/{the_rejudgement().pk}/"

    refused = teacher.post(f"{page}apply/", follow=True).content.decode()
    assert "Not every submission is judged again yet: wait for that, then apply it." in refused

    teacher.post(f"{page}give-up/")
    assert not Rejudgement.objects.exists()


def test_later_ones_are_undone_first(
    learner: User, problem: Problem, teacher: Client, judge_all: Callable[[], None]
) -> None:
    run = hand_in(learner, problem, "fpp")
    for _ in range(2):
        teacher.post(f"/teach/submissions/{run.pk}/again/")
        judge_all()
        Rejudgement.objects.get(stage=Stage.OPEN).apply()
    first = Rejudgement.objects.order_by("applied_at").first()
    assert first is not None

    refused = teacher.post(f"/teach/rejudgements/{first.pk}/undo/", follow=True).content.decode()

    assert "A later rejudgement has changed some submissions: undo that one first." in refused
