"""A new version of a problem: what was handed in keeps its results until a rejudgement is applied, and until it is
undone."""

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from judge.accounts.models import Action, AuditEntry, User
from judge.catalog.models import PackageVersion, Problem, Progress
from judge.catalog.package import parse
from judge.submissions import judging, rejudging
from judge.submissions.models import CanNotApply, Rejudged, Rejudgement, Submission
from judge.submissions.rejudging import judge_one
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, THIRD, Scripted
from judge.tests import halving
from sandbox.client import Client, SandboxUnavailable
from sandbox.protocol import Event, Job, Outcome, Verdict

ABSOLUTE = "def halve(x):\n    return x.abs() / 2\n"
"""Accepted by the first version, which asks for no negative number."""
CHECKS = halving.FILES["checks/test_halving.py"]
STRICTER = {
    **halving.FILES,
    "checks/test_halving.py": CHECKS.replace('hint="Divide by **two**.")', 'hint="Divide.", required=False)')
    + """

@check("Negative numbers stay negative", section="halving", sentence="half", hint="No absolute value.")
def test_negative(solution):
    ensure(bool(solution.halve(torch.tensor([-2.0])) < 0), "half of -2 is not negative")
""",
}
"""A second version: one more check, and another that is no longer required, so that verdicts change both ways."""


@pytest.fixture
def judged(problem: Problem, sandbox_client: Client) -> Callable[[User, str], Submission]:
    """A submission of somebody that the version of that moment has judged."""

    def judge(user: User, source: str) -> Submission:
        submission = Submission.hand_in(user, Problem.objects.get(pk=problem.pk), source)
        judging.judge(submission.pk, sandbox_client)
        submission.refresh_from_db()
        return submission

    return judge


def publish(files: dict[str, str] = STRICTER) -> PackageVersion:
    return Problem.publish(parse("halving", files))


def preview(problem: Problem, client: Client) -> Rejudgement:
    """A rejudgement with everything judged."""
    rejudgement = Rejudgement.open(problem)
    while judge_one(client, rejudgement):
        pass
    return rejudgement


def told(rejudgement: Rejudgement) -> list[tuple[str, int, str, str]]:
    return [
        (item.submission.user.username, item.submission.number, item.old_verdict, item.verdict)
        for item in rejudgement.changes()
    ]


def everything() -> Any:
    """All that a rejudgement could change."""
    fields = [field.attname for field in Submission._meta.concrete_fields]
    runs = list(Submission.objects.order_by("pk").values(*fields))
    checks = list(Submission.objects.order_by("pk", "checks__order").values("pk", "checks__check_id", "checks__status"))
    return runs, checks, list(Progress.objects.order_by("pk").values())


Judged = Callable[[User, str], Submission]


def test_a_submission_keeps_the_version_that_judged_it(judged: Judged, learner: User, problem: Problem) -> None:
    first = problem.current
    before = judged(learner, ABSOLUTE)

    second = publish()
    after = judged(learner, ABSOLUTE)

    assert (before.version, before.verdict, before.total) == (first, Verdict.ACCEPTED, 3)
    assert (after.version, after.verdict, after.total) == (second, Verdict.WRONG_ANSWER, 4)


def test_what_was_handed_in_before_is_judged_by_the_version_of_then(
    problem: Problem, learner: User, sandbox_client: Client
) -> None:
    waiting = Submission.hand_in(learner, Problem.objects.get(pk=problem.pk), ABSOLUTE)
    publish()

    judging.judge(waiting.pk, sandbox_client)

    waiting.refresh_from_db()
    assert (waiting.version, waiting.verdict) == (problem.current, Verdict.ACCEPTED)


def test_a_preview_says_who_would_change_and_changes_nothing(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    judged(learner, RIGHT)
    judged(other, THIRD)
    publish()
    before = everything()

    rejudgement = preview(problem, sandbox_client)

    assert told(rejudgement) == [("ada", 1, "accepted", "wrong_answer"), ("ben", 1, "wrong_answer", "accepted")]
    assert rejudgement.items.count() == 3
    assert everything() == before


def test_only_what_counts_is_judged_again(
    judged: Judged, learner: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, THIRD)  # neither accepted nor the last
    accepted, last = judged(learner, RIGHT), judged(learner, "")
    version = publish()
    newest = judged(learner, RIGHT)  # judged by the new version already

    items = Rejudgement.open(problem).items.order_by("submission__number")

    assert [item.submission for item in items] == [accepted]
    Submission.objects.filter(pk=newest.pk).delete()
    assert {item.submission for item in Rejudgement.open(problem).items.all()} == {accepted, last}
    assert version == Rejudgement.objects.get().version


def test_applied_every_result_is_that_of_the_new_version(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    absolute, third = judged(learner, ABSOLUTE), judged(other, THIRD)
    assert (Progress.has_solved(learner, problem), Progress.has_solved(other, problem)) == (True, False)
    version = publish()

    preview(problem, sandbox_client).apply()

    absolute.refresh_from_db()
    assert (absolute.version, absolute.verdict, absolute.passed, absolute.total) == (version, "wrong_answer", 3, 4)
    failed = absolute.checks.get(status="failed")
    assert (failed.order, failed.check_id) == (3, "negative")
    assert failed.message == "half of -2 is not negative"
    third.refresh_from_db()
    assert (third.version, third.verdict, third.total) == (version, "accepted", 4)
    assert (Progress.has_solved(learner, problem), Progress.has_solved(other, problem)) == (False, True)
    assert Progress.objects.get(user=other).solved_at == third.finished_at


def test_applied_and_undone_it_is_as_if_nothing_had_been(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    judged(other, THIRD)
    publish()
    before = everything()
    rejudgement = preview(problem, sandbox_client)

    for _ in range(2):
        rejudgement.apply()
    assert everything() != before
    for _ in range(2):
        rejudgement.undo()

    assert everything() == before
    assert told(preview(problem, sandbox_client)) == told(rejudgement)


def test_there_is_nothing_to_judge_again_after_it_was_applied(
    judged: Judged, learner: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    publish()
    preview(problem, sandbox_client).apply()

    assert Rejudgement.open(problem).items.count() == 0


def test_it_is_not_applied_before_all_is_judged(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    judged(other, ABSOLUTE)
    publish()
    rejudgement = Rejudgement.open(problem)
    judge_one(sandbox_client)
    before = everything()

    with pytest.raises(CanNotApply, match="Not every submission is judged again yet"):
        rejudgement.apply()

    assert rejudgement.waiting.count() == 1
    assert everything() == before


def test_it_is_applied_to_all_or_to_none(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    changed = judged(other, ABSOLUTE)
    publish()
    rejudgement = preview(problem, sandbox_client)
    Submission.objects.filter(pk=changed.pk).update(verdict=Verdict.TIME_LIMIT)
    before = everything()

    with pytest.raises(CanNotApply, match="judged otherwise meanwhile"):
        rejudgement.apply()
    assert everything() == before

    assert Rejudgement.open(problem) == rejudgement
    assert rejudgement.waiting.get().submission == changed  # to be judged again, as it is another one now


def test_a_fault_while_it_is_applied_changes_nothing(
    judged: Judged,
    learner: User,
    problem: Problem,
    sandbox_client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged(learner, ABSOLUTE)
    publish()
    rejudgement = preview(problem, sandbox_client)
    before = everything()

    def broken(submission: Submission, *, again: bool = False) -> None:
        raise ArithmeticError("a fault of ours")

    monkeypatch.setattr(Submission, "record_progress", broken)
    with pytest.raises(ArithmeticError):
        rejudgement.apply()

    assert everything() == before
    assert Rejudgement.objects.get().applied_at is None


def test_opened_again_it_keeps_what_is_judged_and_adds_what_came(
    judged: Judged, learner: User, other: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    old = Submission.hand_in(other, Problem.objects.get(pk=problem.pk), THIRD)
    publish()
    first = preview(problem, sandbox_client)
    judging.judge(old.pk, sandbox_client)

    again = Rejudgement.open(problem)

    assert again == first
    assert sorted(again.items.values_list("submission__user__username", "verdict")) == [
        ("ada", "wrong_answer"),
        ("ben", ""),
    ]


def test_a_newer_version_makes_an_open_one_void(
    judged: Judged, learner: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    publish()
    void = preview(problem, sandbox_client)
    newest = publish({**STRICTER, "starter.py": "# Start here.\n"})

    rejudgement = Rejudgement.open(problem)

    assert not Rejudgement.objects.filter(pk=void.pk).exists()
    assert (rejudgement.version, rejudgement.waiting.count()) == (newest, 1)


def test_rejudgements_are_undone_from_the_last_to_the_first(
    judged: Judged, learner: User, problem: Problem, sandbox_client: Client
) -> None:
    judged(learner, ABSOLUTE)
    start = everything()
    publish()
    first = preview(problem, sandbox_client)
    first.apply()
    publish({**halving.FILES, "starter.py": "# Start here.\n"})
    second = preview(problem, sandbox_client)
    assert told(second) == [("ada", 1, "wrong_answer", "accepted")]
    second.apply()

    with pytest.raises(CanNotApply, match="A later rejudgement has changed some"):
        first.undo()
    second.undo()
    first.undo()

    assert everything() == start


def test_what_was_never_applied_can_not_be_undone(problem: Problem) -> None:
    with pytest.raises(CanNotApply, match="nothing to undo"):
        Rejudgement.open(problem).undo()


class Interrupted:
    """While it judges, something else happens."""

    def __init__(self, happens: Callable[[], object]) -> None:
        self._happens = happens

    def judge(self, job: Job) -> Iterator[Event]:
        self._happens()
        yield from ACCEPTED


def test_of_two_workers_one_judges_an_item(judged: Judged, learner: User, problem: Problem) -> None:
    judged(learner, ABSOLUTE)
    publish()
    Rejudgement.open(problem)
    second: list[bool] = []

    assert judge_one(Interrupted(lambda: second.append(judge_one(Scripted()))))

    assert second == [False]
    assert Rejudged.objects.get().verdict == "accepted"


def test_a_late_worker_writes_nothing(judged: Judged, learner: User, problem: Problem, sandbox_client: Client) -> None:
    judged(learner, ABSOLUTE)
    publish()
    Rejudgement.open(problem)

    def another_was_faster() -> None:
        Rejudged.objects.update(claimed_at=timezone.now() - 2 * rejudging.DEAD_AFTER)
        judge_one(sandbox_client)

    judge_one(Interrupted(another_was_faster))

    assert Rejudged.objects.get().verdict == "wrong_answer"


def test_a_sandbox_that_is_away_costs_no_attempt(judged: Judged, learner: User, problem: Problem) -> None:
    judged(learner, ABSOLUTE)
    publish()
    Rejudgement.open(problem)

    with pytest.raises(SandboxUnavailable):
        judge_one(Scripted(SandboxUnavailable("it is away")))

    item = Rejudged.objects.get()
    assert (item.claimed_at, item.faults, item.verdict) == (None, 0, "")


def test_what_can_not_be_judged_stays_as_it_is(judged: Judged, learner: User, problem: Problem) -> None:
    judged(learner, ABSOLUTE)
    publish()
    rejudgement = Rejudgement.open(problem)
    before = everything()
    broken = Scripted(Outcome(Verdict.JUDGE_ERROR, "the check broke"))

    for _ in range(rejudging.ATTEMPTS):
        assert judge_one(broken)

    assert not judge_one(broken)
    assert told(rejudgement) == []
    rejudgement.apply()
    assert everything() == before


@pytest.fixture
def rejudge(settings: Settings, sandbox_client: Client) -> Callable[..., str]:
    settings.SANDBOX_SOCKET = sandbox_client.path

    def call(*arguments: str) -> str:
        output = StringIO()
        call_command("rejudge", "halving", *arguments, stdout=output)
        return output.getvalue()

    return call


def test_the_command_shows_then_applies_then_undoes(
    judged: Judged, learner: User, other: User, problem: Problem, rejudge: Callable[..., str]
) -> None:
    judged(learner, ABSOLUTE)
    judged(other, RIGHT)
    version = publish()
    before = everything()
    table = (
        f"halving: 2 runs judged again by version {version}\n"
        "  ada, run 1: accepted -> wrong answer (3 of 3, then 3 of 4 checks)\n"
        "1 would change, 1 would not.\n"
    )

    assert rejudge() == rejudge("--preview") == table + "Nothing is changed yet. To change it: --apply\n"
    assert everything() == before
    assert rejudge("--apply") == table + "Applied. It can be taken back with --undo.\n"
    assert not Progress.has_solved(learner, problem)
    assert rejudge() == f"halving: 0 runs judged again by version {version}\n0 would change, 0 would not.\n"
    assert rejudge("--undo") == "halving: 2 runs have the results back that they had.\n"
    assert everything() == before
    entries = AuditEntry.objects.exclude(action=Action.PUBLISHED).order_by("pk")
    assert [(entry.actor, entry.action) for entry in entries] == [("", Action.APPLIED), ("", Action.UNDONE)]


def test_the_command_says_what_it_can_not_do(problem: Problem, rejudge: Callable[..., str]) -> None:
    with pytest.raises(CommandError, match=r"No rejudgement of halving is applied\."):
        rejudge("--undo")
    with pytest.raises(CommandError, match=r"No problem other is published\."):
        call_command("rejudge", "other")
