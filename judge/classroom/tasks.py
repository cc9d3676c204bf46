"""The doorbell of verifications, in a queue of its own; and a sweep that rings again for what the broker lost."""

import datetime
import functools
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from judge import clock
from judge.classroom import verifying
from judge.classroom.models.verification import DEAD_AFTER, MAX_ATTEMPTS, RING_AGAIN_AFTER, RunState, VerificationRun
from sandbox.client import Client

log = structlog.stdlib.get_logger(__name__)

SWEEP_SECONDS = 2.0
TOO_FAR_AHEAD = datetime.timedelta(seconds=60)
"""Nothing is written ahead of its time, nor do clocks differ so much that are kept at all."""


@shared_task
def verify_draft(run_id: str) -> None:
    verifying.verify_run(UUID(run_id), Client(settings.SANDBOX_SOCKET))


def ring_on_commit(run: VerificationRun) -> None:
    """Has a worker told of the run as soon as the transaction that stored it is over."""
    transaction.on_commit(functools.partial(ring, run.pk))


def ring(run_id: UUID) -> None:
    """Tells the broker. When it can't be reached nothing is lost: the sweep rings again."""
    try:
        verify_draft.apply_async((str(run_id),), queue=settings.VERIFYING_QUEUE)
    except (OperationalError, OSError) as error:
        log.warning("the broker can't be reached; the sweep will ring", error=str(error))


def _mend_times(now: datetime.datetime) -> None:
    """After a clock was set back, times that were written before lie ahead, and would be waited for."""
    ahead = now + TOO_FAR_AHEAD
    unfinished = VerificationRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING))
    mended = unfinished.filter(rung_at__gt=ahead).update(rung_at=now)
    mended += unfinished.filter(alive_at__gt=ahead).update(alive_at=now)
    if mended:
        log.warning("a clock was set back; times of verifications ahead of now were mended", times=mended)


def sweep() -> None:
    now = clock.now()
    _mend_times(now)
    silent = VerificationRun.objects.filter(state=RunState.RUNNING, alive_at__lt=now - DEAD_AFTER)
    fault = f"The worker that held it went away, {MAX_ATTEMPTS} times."
    silent.filter(attempt__gte=MAX_ATTEMPTS).update(state=RunState.FAILED, finished_at=now, fault=fault)
    silent.update(state=RunState.QUEUED, rung_at=now - 2 * RING_AGAIN_AFTER)
    waiting = VerificationRun.objects.filter(state=RunState.QUEUED, rung_at__lt=now - RING_AGAIN_AFTER)
    for run_id in waiting.values_list("pk", flat=True):
        if waiting.filter(pk=run_id).update(rung_at=now) == 1:
            ring(run_id)
