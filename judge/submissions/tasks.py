"""The doorbell: an id goes through the broker, and a worker judges what it finds under it."""

import functools
import math
import time
from uuid import UUID

import structlog
from celery import shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from judge.logs import submission_context
from judge.submissions import judging
from judge.submissions.models import State, Submission
from sandbox.client import Client, SandboxUnavailable

log = structlog.stdlib.get_logger(__name__)


SANDBOX_SECONDS = 5.0
"""How long a worker waits for its sandbox before it takes a submission that other workers could judge meanwhile."""

SEEN_SECONDS = 1.0
"""How long an answer counts."""


@shared_task
def judge_submission(submission_id: str) -> None:
    client = Client(settings.SANDBOX_SOCKET)
    _presence.wait_for(client)
    judging.judge(UUID(submission_id), client)


class Presence:
    """When the sandbox of this worker last answered."""

    def __init__(self) -> None:
        self._seen_at = -math.inf

    def wait_for(self, client: Client, seconds: float = SANDBOX_SECONDS) -> None:
        """Returns when the sandbox answers, or after so many seconds: then it is for judging to say that it doesn't.

        Without it, a worker whose sandbox restarts would take everything that waits and give it back, while the
        sandboxes of others stand idle.
        """
        end = time.monotonic() + seconds
        while self._seen_at + SEEN_SECONDS < time.monotonic() < end:
            try:
                client.ping()
                self._seen_at = time.monotonic()
            except SandboxUnavailable:
                time.sleep(0.2)


_presence = Presence()


def ring_on_commit(submission_id: UUID) -> None:
    """Has a worker told of the submission as soon as the transaction that stored it is over."""
    transaction.on_commit(functools.partial(ring, submission_id))


def ring(submission_id: UUID) -> None:
    """Tells the broker. When it can't be reached nothing is lost: the sweep rings again."""
    with submission_context(submission_id):
        try:
            judge_submission.delay(str(submission_id))
        except (OperationalError, OSError) as error:
            log.warning("the broker can't be reached; the sweep will ring", error=str(error))
            Submission.objects.filter(pk=submission_id, state=State.QUEUED).update(rung_at=None)
        else:
            log.info("queued")
