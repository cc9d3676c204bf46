"""Rings again for what the broker lost, and takes back what a dead worker held.

Every worker sweeps, in a daemon thread. All updates are conditional, so several workers do each thing once.
"""

import datetime

import structlog
from django.db.models import Q

from judge import clock
from judge.logs import submission_context
from judge.submissions.judging import PAUSES_WHEN_AWAY, PAUSES_WHEN_LOST, Attempt, Superseded
from judge.submissions.models import UNFINISHED, State, Submission
from judge.submissions.tasks import ring

log = structlog.stdlib.get_logger(__name__)

SWEEP_SECONDS = 1.0
RING_AGAIN_AFTER = datetime.timedelta(seconds=30)
"""A submission that has waited so long since the broker was told may have been lost by it."""
DEAD_AFTER = datetime.timedelta(seconds=30)
"""A worker that has given no sign of life for so long has died; it gives one every five seconds."""
TOO_FAR_AHEAD = datetime.timedelta(seconds=PAUSES_WHEN_AWAY[-1] + 60)
"""No pause reaches so far, nor do clocks differ so much that are kept at all."""


def sweep() -> None:
    now = clock.now()
    _mend_times(now)
    _take_back(now)
    _ring_again(now)


def _mend_times(now: datetime.datetime) -> None:
    """After a clock was set back, times that were written before lie ahead, and would be waited for."""
    ahead = now + TOO_FAR_AHEAD
    unfinished = Submission.objects.filter(state__in=UNFINISHED)
    mended = unfinished.filter(due_at__gt=ahead).update(due_at=now)
    mended += unfinished.filter(rung_at__gt=ahead).update(rung_at=None)
    mended += unfinished.filter(alive_at__gt=ahead).update(alive_at=now)
    if mended:
        log.warning("a clock was set back; times ahead of now were mended", times=mended)


def _take_back(now: datetime.datetime) -> None:
    silent = Submission.objects.filter(state=State.RUNNING, alive_at__lt=now - DEAD_AFTER)
    for submission in silent.with_problem():
        with submission_context(submission.pk):
            try:
                Attempt(submission).release("The worker that held it went away.", PAUSES_WHEN_LOST, counter="lost")
            except Superseded:
                log.info("it has come back, or another worker took it back")


def _ring_again(now: datetime.datetime) -> None:
    due = Submission.objects.all().due(now)
    for pk, rung_at in due.filter(Q(rung_at=None) | Q(rung_at__lt=now - RING_AGAIN_AFTER)).values_list("pk", "rung_at"):
        if Submission.objects.filter(pk=pk, state=State.QUEUED, rung_at=rung_at).update(rung_at=now) == 1:
            ring(pk)
