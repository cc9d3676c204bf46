import datetime
import uuid
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from judge import clock
from judge.accounts.models import User
from judge.catalog.package import version_of
from judge.classroom.models.drafts import PackageDraft

MAX_ATTEMPTS = 3
"""How often a worker may die with a verification in its hands."""
DEAD_AFTER = datetime.timedelta(seconds=90)
"""A worker that has given no sign of life for so long has died; it gives one every few seconds."""
RING_AGAIN_AFTER = datetime.timedelta(seconds=30)
"""A run that has waited so long since the broker was told may have been lost by it."""


class RunState(models.TextChoices):
    QUEUED = "queued", "Waiting for a worker"
    RUNNING = "running", "Running"
    FINISHED = "finished", "Finished"
    CANCELLED = "cancelled", "Cancelled"
    FAILED = "failed", "Failed"


class VerificationRun(models.Model):
    """One verification of what a draft said at a moment: `queued` -> `running` -> `finished`.

    It may be `cancelled` by who teaches, and ends as `failed` through a fault of ours. A worker that is stopped or
    dies leads back to `queued`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    draft = models.ForeignKey(PackageDraft, models.CASCADE, related_name="runs")
    files = models.JSONField()
    """Path -> text: what is verified, whatever becomes of the draft meanwhile."""
    version = models.CharField(max_length=16)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=9, choices=RunState, default=RunState.QUEUED)
    rung_at = models.DateTimeField(default=timezone.now)
    """When the broker was last told of it."""
    attempt = models.PositiveIntegerField(default=0)
    """Counts claims. Only the newest attempt may write."""
    alive_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    stage = models.CharField(max_length=80, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)

    verified = models.BooleanField(default=False)
    result = models.JSONField(null=True)
    """`judge.catalog.verify.Verification` as plain values."""
    fault = models.TextField(blank=True)
    """Why it failed."""

    class Meta:
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["state", "rung_at"], name="verifications_waiting")]

    def __str__(self) -> str:
        return f"{self.draft_id} {self.version} ({self.state})"

    @classmethod
    def ask(cls, draft: PackageDraft, by: User) -> "VerificationRun":
        """A run of what `draft` says now: one that waits or runs already, or a new one, which ends an older text's."""
        files = draft.texts()
        version = version_of(files)
        with transaction.atomic():
            PackageDraft.objects.select_for_update().get(pk=draft.pk)
            unfinished = cls.objects.filter(draft=draft, state__in=(RunState.QUEUED, RunState.RUNNING))
            if (run := unfinished.filter(version=version).first()) is not None:
                return run
            for run in unfinished:
                run.cancel()
            return cls.objects.create(draft=draft, files=files, version=version, created_by=by, rung_at=clock.now())

    @property
    def is_over(self) -> bool:
        return self.state not in (RunState.QUEUED, RunState.RUNNING)

    @property
    def place_in_line(self) -> int:
        """1 for the one that is verified next."""
        waiting = VerificationRun.objects.filter(state=RunState.QUEUED, created_at__lt=self.created_at)
        return waiting.count() + 1

    def cancel(self) -> bool:
        """Ends it, if it is not over. The worker that holds it notices at the next run that is judged."""
        unfinished = VerificationRun.objects.filter(pk=self.pk, state__in=(RunState.QUEUED, RunState.RUNNING))
        return unfinished.update(state=RunState.CANCELLED, finished_at=clock.now()) == 1

    def claim(self) -> bool:
        """Takes it, if it waits for a worker and no other was faster."""
        waiting = VerificationRun.objects.filter(pk=self.pk, state=RunState.QUEUED, attempt=self.attempt)
        now = clock.now()
        values: dict[str, Any] = {"started_at": now, "alive_at": now, "stage": "", "done": 0, "total": 0}
        self.attempt += 1
        return waiting.update(state=RunState.RUNNING, attempt=self.attempt, **values) == 1

    def give_back(self) -> bool:
        """Lets another worker take it, as if this one never had."""
        return self.write(state=RunState.QUEUED, attempt=self.attempt - 1, rung_at=clock.now() - 2 * RING_AGAIN_AFTER)

    def write(self, **values: Any) -> bool:
        """Stores `values`, if this attempt still has it."""
        mine = VerificationRun.objects.filter(pk=self.pk, state=RunState.RUNNING, attempt=self.attempt)
        return mine.update(alive_at=clock.now(), **values) == 1
