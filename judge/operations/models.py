import datetime
from typing import Any

from django.db import models
from django.utils import timezone

from judge import clock

ALIVE_SECONDS = 20
"""A worker that has written nothing for so long counts as gone; it writes every five seconds."""
KEPT = datetime.timedelta(days=1)


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> "WorkerQuerySet":
        return self.filter(alive_at__gt=clock.now() - datetime.timedelta(seconds=ALIVE_SECONDS))


class Worker(models.Model):
    """A worker process, and the sandbox that it sends its jobs to, as both last were."""

    name = models.CharField(max_length=200, unique=True)
    """Host and process."""
    started_at = models.DateTimeField(default=timezone.now)
    alive_at = models.DateTimeField(default=timezone.now)
    sandbox = models.JSONField(null=True)
    """What the sandbox answered when it was last asked; null when it can't be reached."""
    fault = models.TextField(blank=True)
    """Why it can't be reached."""

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_alive(self) -> bool:
        return self.alive_at > clock.now() - datetime.timedelta(seconds=ALIVE_SECONDS)

    @classmethod
    def beat(cls, name: str, sandbox: dict[str, Any] | None, fault: str) -> None:
        """Writes that the worker lives, and forgets those that have been silent for a day."""
        now = clock.now()
        values = {"alive_at": now, "sandbox": sandbox, "fault": fault}
        cls.objects.update_or_create(name=name, defaults=values)
        cls.objects.filter(alive_at__lt=now - KEPT).delete()
