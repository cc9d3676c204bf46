import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.submissions.models.submission import CheckResult, Diagnosis, State, Submission
from sandbox.protocol import Verdict

_RUN = (
    *("version_id", "verdict", "message", "line", "printed", "ms", "total", "passed", "not_run", "stopped_in"),
    *("outcomes", "faults", "lost", "broken"),
)
"""Fields of a submission that a rejudgement replaces. When it was handed in and judged stays as it was."""
_DIAGNOSED = ("diagnosed", "pattern")
_DIAGNOSIS = ("order", "mistake", "sureness", "checks")
_CHECK = ("order", "check_id", "status", "message", "hint", "details", "printed", "ms")
AT_ONCE = 20
"""Submissions that get other results in one transaction: learners' runs are written in between."""


class CanNotApply(Exception):
    """A rejudgement can't be applied or undone now. The message says why and what to do."""


class Stage(models.TextChoices):
    OPEN = "open", "Open"
    """It is being judged, or waits for somebody to apply it."""
    APPLYING = "applying", "Applying"
    APPLIED = "applied", "Applied"
    UNDOING = "undoing", "Undoing"
    UNDONE = "undone", "Undone"


CHANGING = (Stage.APPLYING, Stage.UNDOING)


class Rejudgement(models.Model):
    """Submissions to a problem judged again by its new version, without any change to them until it is applied.

    Of each learner these are the accepted ones, which decide whether the problem is solved, and the last one, which
    the report shows; or those that somebody has chosen. There is one open rejudgement of a whole problem for a version.
    After it was applied it can be undone. Both change a few submissions at a time, and go on where they stopped.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="rejudgements")
    version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="rejudgements")
    """The version that judges them."""
    chosen = models.CharField(max_length=300, blank=True)
    """Which submissions somebody has chosen, in words; empty for those of the whole problem."""
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.OPEN)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version"],
                condition=models.Q(stage=Stage.OPEN, chosen=""),
                name="one_open_rejudgement_per_version",
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
            whole = cls.objects.filter(problem=problem, stage=Stage.OPEN, chosen="")
            whole.exclude(version=problem.current_id).delete()
            rejudgement, _ = cls.objects.get_or_create(
                problem=problem, version_id=problem.current_id, stage=Stage.OPEN, chosen="", defaults={"created_by": by}
            )
            for item in rejudgement.items.select_related("submission"):
                if item.is_outdated:
                    item.delete()
            known = set(rejudgement.items.values_list("submission", flat=True))
            rejudgement._add(submission for submission in _to_judge_again(problem) if submission.pk not in known)
        return rejudgement

    @classmethod
    def choose(
        cls, problem: Problem, submissions: "models.QuerySet[Submission]", by: User | None, chosen: str
    ) -> "Rejudgement":
        """A new rejudgement of these submissions to `problem`, whatever version judged them and however it ended.

        Args:
            chosen: which they are, in words.
        """
        assert chosen, "say in words which submissions these are"
        with transaction.atomic():
            assert problem.current_id is not None, f"{problem} is not published"
            rejudgement = cls.objects.create(
                problem=problem, version_id=problem.current_id, created_by=by, chosen=chosen[:300]
            )
            finished = submissions.filter(problem=problem, state=State.FINISHED)
            rejudgement._add(finished.only("version", "verdict").iterator(chunk_size=500))
        return rejudgement

    def _add(self, submissions: Iterable[Submission]) -> None:
        Rejudged.objects.bulk_create(
            (
                Rejudged(
                    rejudgement=self,
                    submission=submission,
                    old_version_id=submission.version_id,
                    old_verdict=submission.verdict,
                )
                for submission in submissions
            ),
            batch_size=500,
        )

    @property
    def waiting(self) -> "models.QuerySet[Rejudged]":
        """What is not judged yet."""
        return self.items.filter(verdict="")

    @property
    def changed(self) -> "models.QuerySet[Rejudged]":
        """Whose verdict would be, or was, another one; what could not be judged is not among them."""
        judged = self.items.exclude(verdict__in=("", Verdict.JUDGE_ERROR)).exclude(verdict=models.F("old_verdict"))
        return judged.select_related("submission__user").order_by("submission__user", "submission__number")

    def changes(self) -> list["Rejudged"]:
        return list(self.changed)

    def apply(self) -> None:
        """Gives all submissions their new results. Applied twice it changes nothing more. Raises `CanNotApply`."""
        self.begin_applying()
        while self.advance():
            pass

    def undo(self) -> None:
        """Gives all submissions the results back that they had. Undone twice it changes nothing more.

        Raises:
            CanNotApply: if it is not applied, or another rejudgement came after it; then nothing is changed.
        """
        self.begin_undoing()
        while self.advance():
            pass

    def begin_applying(self) -> None:
        """Says that it is to be applied; `advance` does it.

        Raises:
            CanNotApply: if some are not judged yet, or have changed since; then nothing is changed.
        """
        with transaction.atomic():
            this = self._locked()
            if this.stage != Stage.OPEN:
                return
            if this.waiting.exists():
                raise CanNotApply("Not every submission is judged again yet: wait for that, then apply it.")
            if any(item.is_outdated for item in this._usable().select_related("submission")):
                raise CanNotApply("Some submissions were judged otherwise meanwhile: look at the preview again.")
            this._begin(Stage.APPLYING)

    def begin_undoing(self) -> None:
        """Says that it is to be undone; `advance` does it. Raises `CanNotApply` as `undo` does."""
        with transaction.atomic():
            this = self._locked()
            if this.stage in (Stage.UNDOING, Stage.UNDONE):
                return
            if this.stage != Stage.APPLIED:
                raise CanNotApply("It is not applied, so there is nothing to undo.")
            later = Rejudged.objects.filter(
                submission__in=this._usable().values("submission"),
                rejudgement__stage__in=(Stage.APPLYING, Stage.APPLIED),
                rejudgement__applied_at__gt=this.applied_at,
            )
            if later.exists():
                raise CanNotApply("A later rejudgement has changed some submissions: undo that one first.")
            this._begin(Stage.UNDOING)

    def advance(self) -> bool:
        """Changes the next few submissions of one that is being applied or undone. False if nothing is left to do."""
        with transaction.atomic():
            this = self._locked()
            if this.stage not in CHANGING:
                return False
            applying = this.stage == Stage.APPLYING
            items = list(this._usable().filter(is_applied=not applying).select_related("submission__user")[:AT_ONCE])
            if not items:
                done, field = (Stage.APPLIED, "applied_at") if applying else (Stage.UNDONE, "undone_at")
                setattr(this, field, timezone.now())
                this.stage = done
                this.save(update_fields=["stage", field])
                return False
            for item in items:
                item.is_applied = applying
                if applying:
                    item.before = _results_of(item.submission)
                item.save(update_fields=["before", "is_applied"])
                _replace_results(item.submission, item.after if applying else item.before)
            _record_progress(items)
        return True

    def give_up(self) -> None:
        """Forgets one that was never applied. Raises `CanNotApply` for another."""
        with transaction.atomic():
            this = self._locked()
            if this.stage != Stage.OPEN:
                raise CanNotApply("It has been applied: undo it instead.")
            this.delete()

    def _locked(self) -> "Rejudgement":
        return Rejudgement.objects.select_for_update().get(pk=self.pk)

    def _usable(self) -> "models.QuerySet[Rejudged]":
        return self.items.exclude(verdict=Verdict.JUDGE_ERROR).order_by("pk")

    def _begin(self, stage: Stage) -> None:
        """One problem's results are changed by one rejudgement at a time."""
        Problem.objects.select_for_update().get(pk=self.problem_id)
        if Rejudgement.objects.filter(problem=self.problem_id, stage__in=CHANGING).exists():
            raise CanNotApply("Another rejudgement of this problem is being applied or undone: wait for its end.")
        self.stage = stage
        self.save(update_fields=["stage"])


class Rejudged(models.Model):
    """One submission in a rejudgement: what it was, and what it would be."""

    rejudgement = models.ForeignKey(Rejudgement, models.CASCADE, related_name="items")
    submission = models.ForeignKey(Submission, models.CASCADE, related_name="rejudged")
    old_version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="+")
    old_verdict = models.CharField(max_length=20)
    verdict = models.CharField(max_length=20, blank=True)
    """By the new version; empty until then, and `judge_error` if it could not be judged: then it stays as it is."""
    is_applied = models.BooleanField(default=False)
    """Whether the submission has the new results now."""
    before = models.JSONField(default=dict)
    """The results that applying replaced: `{"run": {...}, "checks": [...]}`."""
    after = models.JSONField(default=dict)
    """The results by the new version, in the same form."""
    claimed_at = models.DateTimeField(null=True)
    """When a worker began to judge it."""
    faults = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rejudgement", "submission"], name="judged_again_once")]
        indexes = [models.Index(fields=["rejudgement", "verdict", "old_verdict"], name="by_change")]

    def __str__(self) -> str:
        return f"{self.submission_id}: {self.old_verdict} -> {self.verdict or 'waiting'}"

    @property
    def is_outdated(self) -> bool:
        """Whether the submission is no longer what was to be judged again."""
        return (self.submission.version_id, self.submission.verdict) != (self.old_version_id, self.old_verdict)


def _to_judge_again(problem: Problem) -> list[Submission]:
    """Each learner's accepted submissions and the last one, where another version than the current judged them."""
    chosen: dict[uuid.UUID, Submission] = {}
    last: dict[int, Submission] = {}
    counted = Submission.objects.filter(problem=problem).counted()
    for submission in counted.only("user", "version", "verdict", "number").order_by("number"):
        last[submission.user_id] = submission
        if submission.verdict == Verdict.ACCEPTED:
            chosen[submission.pk] = submission
    chosen |= {submission.pk: submission for submission in last.values()}
    return [submission for submission in chosen.values() if submission.version_id != problem.current_id]


def _results_of(submission: Submission) -> dict[str, Any]:
    """Everything that `_replace_results` needs to give it back as it is."""
    return {
        "run": {field: getattr(submission, field) for field in (*_RUN, *_DIAGNOSED)},
        "checks": list(submission.checks.values(*_CHECK)),
        "diagnoses": list(submission.diagnoses.values(*_DIAGNOSIS)),
    }


def _replace_results(submission: Submission, results: dict[str, Any]) -> None:
    """New results are diagnosed; those that are given back have the diagnoses that they had."""
    run = results["run"]
    needs_none = run["verdict"] in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
    Submission.objects.filter(pk=submission.pk).update(**{"diagnosed": needs_none, "pattern": ""} | run)
    submission.checks.all().delete()
    submission.diagnoses.all().delete()
    CheckResult.objects.bulk_create(CheckResult(submission=submission, **values) for values in results["checks"])
    submission.version_id = run["version_id"]
    if "diagnoses" in results:
        Diagnosis.objects.bulk_create(Diagnosis(submission=submission, **values) for values in results["diagnoses"])
    else:
        submission.diagnose()


def _record_progress(items: Sequence[Rejudged]) -> None:
    for submission in {item.submission.user_id: item.submission for item in items}.values():
        submission.record_progress(again=True)
