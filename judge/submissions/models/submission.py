import dataclasses
import datetime
import statistics
import uuid

import structlog
from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.functional import cached_property

from judge.accounts.models import User
from judge.catalog.diagnosis import Sureness, diagnose
from judge.catalog.models import PackageVersion, Problem, Progress
from judge.catalog.patterns import pattern_of
from judge.submissions.models.standing import Standing
from sandbox.protocol import Status, Verdict

log = structlog.stdlib.get_logger(__name__)

MAX_UNFINISHED = 3
"""Submissions of one learner that may wait or run at a time."""


class TooManyUnfinished(Exception):
    """The learner has `MAX_UNFINISHED` submissions that are not finished."""


class TooFast(Exception):
    """The learner has handed in `settings.SUBMISSIONS_A_MINUTE` times within the last minute."""


class State(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"


UNFINISHED = (State.QUEUED, State.RUNNING)

_VERDICTS = [(verdict.value, verdict.value.replace("_", " ")) for verdict in Verdict]
_STATUSES = [(status.value, status.value.replace("_", " ")) for status in Status]
_SURENESS = [(sureness.value, sureness.value) for sureness in Sureness]


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def with_problem(self) -> "SubmissionQuerySet":
        """With what a report needs to know of the problem, but without the archive."""
        return self.select_related("user", "problem", "version").defer("version__files")

    def due(self, moment: datetime.datetime) -> "SubmissionQuerySet":
        """Those that may be claimed. A first attempt needs no pause, whatever the clock said that wrote its time."""
        return self.filter(models.Q(attempt=0) | models.Q(due_at__lte=moment), state=State.QUEUED)

    def counted(self) -> "SubmissionQuerySet":
        """Those that have ended, and not through a fault of ours."""
        return self.filter(state=State.FINISHED).exclude(verdict=Verdict.JUDGE_ERROR)

    def of(self, user: User, problem: Problem) -> "SubmissionQuerySet":
        """Somebody's submissions to a problem, the newest first."""
        return self.filter(user=user, problem=problem).with_problem().defer("source").order_by("-number")


class Submission(models.Model):
    """One file that was handed in, with the version of the package that judges it and how that ended.

    `queued` -> `running` (claimed by a worker) -> `finished`; a fault of ours leads back from `running` to `queued`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="submissions")
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="submissions")
    version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="submissions")
    number = models.PositiveIntegerField()
    """1 for somebody's first submission to this problem, and so on."""
    source = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    """The process that claimed it last; see `judge.process`."""
    due_at = models.DateTimeField(default=timezone.now)
    """When it may be claimed: at once, or after a pause that follows a fault."""
    rung_at = models.DateTimeField(null=True, default=timezone.now)
    """When the broker was last told of it; null asks the sweep to tell it as soon as it is due."""
    attempt = models.PositiveIntegerField(default=0)
    """Counts claims. Only the newest attempt may write."""
    alive_at = models.DateTimeField(null=True)
    """The last sign of life of the worker that holds the claim."""
    started_at = models.DateTimeField(null=True)
    """When the sandbox took it out of its line."""
    finished_at = models.DateTimeField(null=True)

    verdict = models.CharField(max_length=20, choices=_VERDICTS, blank=True)
    message = models.TextField(blank=True)
    line = models.PositiveIntegerField(null=True)
    printed = models.TextField(blank=True)
    ms = models.FloatField(null=True)
    total = models.PositiveIntegerField(default=0)
    """Checks of the problem; 0 until they are known."""
    passed = models.PositiveIntegerField(default=0)
    not_run = models.PositiveIntegerField(default=0)
    stopped_in = models.PositiveIntegerField(null=True)
    """The order of the first check that ended as the verdict says: out of time, for one."""

    diagnosed = models.BooleanField(default=False)
    """Whether its failures were compared with the known mistakes."""
    pattern = models.CharField(max_length=16, blank=True)
    """What no known mistake explains in it, by `judge.catalog.patterns`: equal ones fail in the same way."""
    outcomes = models.TextField(blank=True)
    """How each check ended, a letter each; see `judge.submissions.outcomes`."""

    faults = models.PositiveIntegerField(default=0)
    """How often judging failed through no fault of the learner: in all, `lost` and `broken` ones among them."""
    lost = models.PositiveIntegerField(default=0)
    """How often a worker or a sandbox died while it held the submission, which may be the reason."""
    broken = models.PositiveIntegerField(default=0)
    """How often judging it failed by itself."""
    fault = models.TextField(blank=True)
    """For an operator: why it last failed."""
    reference = models.CharField(max_length=8, blank=True)
    """Finds the fault in the logs."""

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "problem", "number"], name="numbered_per_problem")]
        indexes = [
            models.Index(fields=["state", "due_at"], name="waiting_and_running"),
            models.Index(fields=["problem", "state", "-finished_at"], name="recently_finished"),
            models.Index(fields=["finished_at"], name="by_end"),
            models.Index(fields=["version"], condition=models.Q(diagnosed=False), name="not_diagnosed"),
            # What lists and reports filter by stands in the index: a row holds a whole file, and is read last.
            models.Index(fields=["-created_at", "-id", "verdict"], name="newest"),
            models.Index(fields=["problem", "-created_at", "-id", "verdict"], name="newest_of_problem"),
            models.Index(fields=["user", "-created_at", "-id", "verdict"], name="newest_of_user"),
            models.Index(fields=["problem", "pattern", "user"], name="failing_alike"),
        ]

    def __str__(self) -> str:
        return f"{self.problem_id} #{self.number} ({self.state})"

    @classmethod
    def hand_in(cls, user: User, problem: Problem, source: str) -> "Submission":
        """Stores a submission to the current version of `problem`. Raises `TooManyUnfinished`, `TooFast`."""
        minute_ago = timezone.now() - datetime.timedelta(minutes=1)
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            if cls.objects.filter(user=user, state__in=UNFINISHED).count() >= MAX_UNFINISHED:
                raise TooManyUnfinished
            recent = cls.objects.filter(user=user, created_at__gt=minute_ago).count()
            if recent >= settings.SUBMISSIONS_A_MINUTE:
                raise TooFast
            last = cls.objects.filter(user=user, problem=problem).aggregate(last=models.Max("number"))["last"] or 0
            assert problem.current is not None
            return cls.objects.create(
                user=user,
                problem=problem,
                version=problem.current,
                number=last + 1,
                source=source,
                total=len(problem.current.planned),
            )

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many checks `passed`, `failed` (ran and did not pass) and were `not_run`, so far or in the end."""
        if self.state == State.FINISHED:
            passed, not_run, known = self.passed, self.not_run, self.total
        else:
            statuses = list(self.checks.values_list("status", flat=True))
            passed, not_run, known = statuses.count(Status.PASSED), statuses.count(Status.NOT_RUN), len(statuses)
        return {"passed": passed, "failed": known - passed - not_run, "not_run": not_run}

    @property
    def words(self) -> str:
        """What it is, to somebody who teaches."""
        return f"{self.problem}, run {self.number} of {self.user}"

    @property
    def solved(self) -> bool:
        return self.verdict == Verdict.ACCEPTED

    @cached_property
    def place_in_line(self) -> int:
        """1 for the one that is judged next."""
        waiting = Submission.objects.filter(state__in=UNFINISHED, started_at=None)
        return waiting.filter(created_at__lt=self.created_at).count() + 1

    def record_progress(self, *, again: bool = False) -> None:
        """Brings `Progress` and `Standing` up to what the submissions say; `again` says that several have changed.

        A run that failed through our fault doesn't count.
        """
        counted = Submission.objects.filter(user=self.user, problem=self.problem).counted()
        if counted.exists():
            first = counted.filter(verdict=Verdict.ACCEPTED).aggregate(first=models.Min("finished_at"))["first"]
            Progress.objects.update_or_create(user=self.user, problem=self.problem, defaults={"solved_at": first})
        Standing.record(self, again=again)

    def diagnose(self) -> None:
        """Stores which known mistakes explain what failed, once the signatures of all of them are known.

        It is done once, and a fault of ours in it costs the diagnosis and nothing else.
        """
        version = PackageVersion.objects.defer("files").get(pk=self.version_id)
        waiting = Submission.objects.filter(pk=self.pk, state=State.FINISHED, diagnosed=False)
        if not version.is_signed or waiting.update(diagnosed=True) != 1:
            return
        try:
            with transaction.atomic():
                results = [(result.check_id, result) for result in self.checks.all()]
                found = diagnose(version.signatures, results)
                explained = {check for diagnosis in found for check in diagnosis.checks}
                pattern = pattern_of(version.signatures, results, explained)
                Submission.objects.filter(pk=self.pk).update(pattern=pattern)
                Diagnosis.objects.bulk_create(
                    Diagnosis(submission=self, order=order, **dataclasses.asdict(diagnosis))
                    for order, diagnosis in enumerate(found)
                )
        except Exception:
            log.exception("diagnosis failed")

    @staticmethod
    def typical_ms(problem: Problem) -> float | None:
        """Median judging time of the last twenty runs of a problem."""
        recent = Submission.objects.filter(problem=problem, state=State.FINISHED).order_by("-finished_at")
        times = [ms for ms in recent.values_list("ms", flat=True)[:20] if ms is not None]
        return statistics.median(times) if times else None


class CheckResult(models.Model):
    """How one check of a submission ended; what the check is called is in `PackageVersion.planned`."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="checks")
    order = models.PositiveIntegerField()
    check_id = models.CharField(max_length=200)
    status = models.CharField(max_length=20, choices=_STATUSES)
    message = models.TextField(blank=True)
    hint = models.TextField(blank=True)
    details = models.JSONField(null=True)
    printed = models.TextField(blank=True)
    ms = models.FloatField(default=0.0)

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["submission", "order"], name="one_result_per_check")]
        indexes = [
            models.Index(
                fields=["check_id", "submission", "status"],
                condition=~models.Q(status__in=(Status.PASSED.value, Status.NOT_RUN.value)),
                name="failed_checks",
            )
        ]

    def __str__(self) -> str:
        return f"{self.check_id}: {self.status}"


class Diagnosis(models.Model):
    """A known mistake that explains failures of a submission; what it is called is in the package."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="diagnoses")
    order = models.PositiveSmallIntegerField()
    """0 for the best explanation."""
    mistake = models.CharField(max_length=200)
    """Its file in the package."""
    sureness = models.CharField(max_length=10, choices=_SURENESS)
    checks = models.JSONField()
    """Ids of the failed checks that it explains."""

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["submission", "order"], name="one_diagnosis_per_rank")]
        indexes = [models.Index(fields=["mistake", "submission"], name="by_mistake")]

    def __str__(self) -> str:
        return f"{self.mistake}: {self.sureness}"
