import uuid
from collections.abc import Sequence
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.submissions.models.submission import CheckResult, State, Submission
from sandbox.protocol import Verdict

_RUN = ("version_id", "verdict", "message", "line", "printed", "ms", "total", "passed", "not_run", "stopped_in")
"""Fields of a submission that a rejudgement replaces. When it was handed in and judged stays as it was."""
_CHECK = ("order", "check_id", "status", "message", "hint", "details", "printed", "ms")


class CanNotApply(Exception):
    """A rejudgement can't be applied or undone now. The message says why and what to do."""


class Rejudgement(models.Model):
    """Submissions to a problem judged again by its new version, without any change to them until it is applied.

    Of each learner these are the accepted ones, which decide whether the problem is solved, and the last one, which
    the report shows. There is one open rejudgement for a version; after it was applied it can be undone.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="rejudgements")
    version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="rejudgements")
    """The version that judges them."""
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version"], condition=models.Q(applied_at=None), name="one_open_rejudgement_per_version"
            )
        ]

    def __str__(self) -> str:
        return f"{self.problem} by {self.version}"

    @classmethod
    def open(cls, problem: Problem, by: User | None = None) -> "Rejudgement":
        """The open rejudgement by the current version, with every submission that another version judged.

        Asked again, it adds what has come since, and keeps what is judged already. An open one by an older version is
        given up.
        """
        with transaction.atomic():
            problem = Problem.objects.select_for_update().get(pk=problem.pk)
            assert problem.current_id is not None, f"{problem} is not published"
            cls.objects.filter(problem=problem, applied_at=None).exclude(version=problem.current_id).delete()
            rejudgement, _ = cls.objects.get_or_create(
                problem=problem, version_id=problem.current_id, applied_at=None, defaults={"created_by": by}
            )
            for item in rejudgement.items.select_related("submission"):
                if item.is_outdated:
                    item.delete()
            known = set(rejudgement.items.values_list("submission", flat=True))
            Rejudged.objects.bulk_create(
                Rejudged(
                    rejudgement=rejudgement,
                    submission=submission,
                    old_version_id=submission.version_id,
                    old_verdict=submission.verdict,
                )
                for submission in _to_judge_again(problem)
                if submission.pk not in known
            )
        return rejudgement

    @property
    def waiting(self) -> "models.QuerySet[Rejudged]":
        """What is not judged yet."""
        return self.items.filter(verdict="")

    def changes(self) -> list["Rejudged"]:
        """Whose verdict would be, or was, another one; what could not be judged is not among them."""
        judged = self.items.exclude(verdict__in=("", Verdict.JUDGE_ERROR)).exclude(verdict=models.F("old_verdict"))
        return list(judged.select_related("submission__user").order_by("submission__user", "submission__number"))

    def apply(self) -> None:
        """Gives all submissions their new results, in one step. Applied twice it changes nothing more.

        Raises:
            CanNotApply: if some are not judged yet, or have changed since; then nothing is changed.
        """
        with transaction.atomic():
            this = Rejudgement.objects.select_for_update().get(pk=self.pk)
            if this.applied_at is not None:
                return
            if this.waiting.exists():
                raise CanNotApply("Not every submission is judged again yet: wait for that, then apply it.")
            items = this._usable_items()
            if any(item.is_outdated for item in items):
                raise CanNotApply("Some submissions were judged otherwise meanwhile: look at the preview again.")
            for item in items:
                item.before = _results_of(item.submission)
                item.save(update_fields=["before"])
                _replace_results(item.submission, item.after)
            _record_progress(items)
            self._end("applied_at")

    def undo(self) -> None:
        """Gives all submissions the results back that they had. Undone twice it changes nothing more.

        Raises:
            CanNotApply: if it is not applied, or another rejudgement came after it; then nothing is changed.
        """
        with transaction.atomic():
            this = Rejudgement.objects.select_for_update().get(pk=self.pk)
            if this.undone_at is not None:
                return
            if this.applied_at is None:
                raise CanNotApply("It is not applied, so there is nothing to undo.")
            items = this._usable_items()
            if any(item.submission.version_id != this.version_id for item in items):
                raise CanNotApply("A later rejudgement has changed some submissions: undo that one first.")
            for item in items:
                _replace_results(item.submission, item.before)
            _record_progress(items)
            self._end("undone_at")

    def _usable_items(self) -> list["Rejudged"]:
        return list(self.items.exclude(verdict=Verdict.JUDGE_ERROR).select_related("submission__user"))

    def _end(self, field: str) -> None:
        setattr(self, field, timezone.now())
        self.save(update_fields=[field])


class Rejudged(models.Model):
    """One submission in a rejudgement: what it was, and what it would be."""

    rejudgement = models.ForeignKey(Rejudgement, models.CASCADE, related_name="items")
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="rejudged")
    old_version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="+")
    old_verdict = models.CharField(max_length=20)
    verdict = models.CharField(max_length=20, blank=True)
    """By the new version; empty until then, and `judge_error` if it could not be judged: then it stays as it is."""
    before = models.JSONField(default=dict)
    """The results that applying replaced: `{"run": {...}, "checks": [...]}`."""
    after = models.JSONField(default=dict)
    """The results by the new version, in the same form."""
    claimed_at = models.DateTimeField(null=True)
    """When a worker began to judge it."""
    faults = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rejudgement", "submission"], name="judged_again_once")]

    def __str__(self) -> str:
        return f"{self.submission_id}: {self.old_verdict} -> {self.verdict or 'waiting'}"

    @property
    def is_outdated(self) -> bool:
        """Whether the submission is no longer what was to be judged again."""
        return (self.submission.version_id, self.submission.verdict) != (self.old_version_id, self.old_verdict)


def _to_judge_again(problem: Problem) -> list[Submission]:
    """Each learner's accepted submissions and the last one, where another version than the current judged them."""
    finished = Submission.objects.filter(problem=problem, state=State.FINISHED).exclude(verdict=Verdict.JUDGE_ERROR)
    chosen: dict[uuid.UUID, Submission] = {}
    last: dict[int, Submission] = {}
    for submission in finished.only("user", "version", "verdict", "number").order_by("number"):
        last[submission.user_id] = submission
        if submission.verdict == Verdict.ACCEPTED:
            chosen[submission.pk] = submission
    chosen |= {submission.pk: submission for submission in last.values()}
    return [submission for submission in chosen.values() if submission.version_id != problem.current_id]


def _results_of(submission: Submission) -> dict[str, Any]:
    """Everything that `_replace_results` needs to give it back."""
    return {
        "run": {field: getattr(submission, field) for field in _RUN},
        "checks": list(submission.checks.values(*_CHECK)),
    }


def _replace_results(submission: Submission, results: dict[str, Any]) -> None:
    is_accepted = results["run"]["verdict"] == Verdict.ACCEPTED
    Submission.objects.filter(pk=submission.pk).update(**results["run"], diagnosed=is_accepted)
    submission.checks.all().delete()
    submission.diagnoses.all().delete()
    CheckResult.objects.bulk_create(CheckResult(submission=submission, **values) for values in results["checks"])
    submission.version_id = results["run"]["version_id"]
    submission.diagnose()


def _record_progress(items: Sequence[Rejudged]) -> None:
    for submission in {item.submission.user_id: item.submission for item in items}.values():
        submission.record_progress()
