import datetime
from typing import Any

from django.db import models
from django.utils import timezone

from judge import clock

ALIVE_SECONDS = 20
"""A worker that has written nothing for so long counts as gone; it writes every five seconds.

What lies as far ahead was written before a clock was set back, and says nothing either.
"""
KEPT = datetime.timedelta(days=1)


def _lately() -> tuple[datetime.datetime, datetime.datetime]:
    now, seconds = clock.now(), datetime.timedelta(seconds=ALIVE_SECONDS)
    return now - seconds, now + seconds


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> "WorkerQuerySet":
        return self.filter(alive_at__range=_lately())

    def judging(self) -> "WorkerQuerySet":
        """Those that live and take submissions."""
        return self.alive().filter(judges=True)

    def verifying(self) -> "WorkerQuerySet":
        """Those that live and take verifications."""
        return self.alive().filter(verifies=True)


class Worker(models.Model):
    """A worker process, and the sandbox that it sends its jobs to, as both last were."""

    name = models.CharField(max_length=200, unique=True)
    """Host and process."""
    judges = models.BooleanField(default=True)
    """Whether it takes submissions."""
    verifies = models.BooleanField(default=False)
    """Whether it takes instructors' verifications."""
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
    def takes(self) -> str:
        """In words."""
        kinds = {"submissions": self.judges, "verifications": self.verifies}
        return " and ".join(kind for kind, takes in kinds.items() if takes)

    @property
    def is_alive(self) -> bool:
        since, until = _lately()
        return since <= self.alive_at <= until

    @classmethod
    def beat(cls, name: str, **values: Any) -> None:
        """Writes that the worker lives, and forgets those that have been silent for a day."""
        now = clock.now()
        cls.objects.update_or_create(name=name, defaults={**values, "alive_at": now})
        cls.objects.filter(alive_at__lt=now - KEPT).delete()
