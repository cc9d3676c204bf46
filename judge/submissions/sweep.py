"""Rings again for what the broker lost, and takes back what a dead worker held.

Every worker sweeps, in a daemon thread. All updates are conditional, so several workers do each thing once.
"""

import datetime
import threading

import structlog
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from judge.logs import submission_context
from judge.submissions.judging import PAUSES_WHEN_LOST, Attempt, Superseded
from judge.submissions.models import State, Submission
from judge.submissions.tasks import ring

log = structlog.stdlib.get_logger(__name__)

SWEEP_SECONDS = 1.0
RING_AGAIN_AFTER = datetime.timedelta(seconds=30)
"""A submission that has waited so long since the broker was told may have been lost by it."""
DEAD_AFTER = datetime.timedelta(seconds=30)
"""A worker that has given no sign of life for so long has died; it gives one every five seconds."""


def sweep() -> None:
    _take_back()
    _ring_again()


def _take_back() -> None:
    silent = Submission.objects.filter(state=State.RUNNING, alive_at__lt=timezone.now() - DEAD_AFTER)
    for submission in silent.with_problem():
        with submission_context(submission.pk):
            try:
                Attempt(submission).release("The worker that held it went away.", PAUSES_WHEN_LOST)
            except Superseded:
                log.info("it has come back, or another worker took it back")


def _ring_again() -> None:
    now = timezone.now()
    due = Submission.objects.filter(state=State.QUEUED, due_at__lte=now)
    for pk, rung_at in due.filter(Q(rung_at=None) | Q(rung_at__lt=now - RING_AGAIN_AFTER)).values_list("pk", "rung_at"):
        if Submission.objects.filter(pk=pk, state=State.QUEUED, rung_at=rung_at).update(rung_at=now) == 1:
            ring(pk)


class Sweeper(threading.Thread):
    """Sweeps until `stop` is set."""

    def __init__(self) -> None:
        super().__init__(name="sweep", daemon=True)
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.wait(SWEEP_SECONDS):
            try:
                sweep()
            except Exception:
                log.exception("the sweep failed; it goes on")
            finally:
                connection.close()
