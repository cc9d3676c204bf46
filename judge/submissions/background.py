"""What a worker does beside judging, in a daemon thread: one job at a time, among the learners' in turn.

Rejudgements come first, because somebody waits for them. Known mistakes are judged when learners leave the sandbox
idle.
"""

import datetime
import threading
import time

import structlog
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from judge.catalog.verify.jobs import JudgesJobs
from judge.submissions.models import UNFINISHED, Submission
from judge.submissions.rejudging import change_some, judge_one
from judge.submissions.signer import Signer, diagnose_the_waiting
from sandbox.client import SandboxUnavailable

log = structlog.stdlib.get_logger(__name__)

ROUND_SECONDS = 2.0
"""How often it is looked whether there is something to do."""
IDLE_AFTER = datetime.timedelta(seconds=5)
"""The sandbox counts as idle so long after the last submission."""
PATIENCE_SECONDS = 60.0
"""On a site that is never idle, a known mistake waits so long for its turn."""
AFTER_FAULT_SECONDS = 10.0


class Background(threading.Thread):
    """Works until `stop` is set."""

    def __init__(self, client: JudgesJobs) -> None:
        super().__init__(name="background", daemon=True)
        self.stop = threading.Event()
        self._client = client
        self._signer = Signer(client)
        self._waits_since = time.monotonic()

    def run(self) -> None:
        pause = ROUND_SECONDS
        while not self.stop.wait(pause):
            try:
                pause = 0.0 if self.step() else ROUND_SECONDS
            except SandboxUnavailable as error:
                if not self.stop.is_set():  # what stops, stops together
                    log.warning("the sandbox can't be used", error=str(error))
                pause = AFTER_FAULT_SECONDS
            except Exception:
                log.exception("the background failed; it goes on")
                pause = AFTER_FAULT_SECONDS
            finally:
                connection.close()

    def step(self) -> bool:
        """Does the next thing. False if there is nothing to do now. Raises `SandboxUnavailable`."""
        if change_some() or judge_one(self._client):
            return True
        diagnose_the_waiting()
        waited = time.monotonic() - self._waits_since
        if (learners_wait() and waited < PATIENCE_SECONDS) or not self._signer.has_work():
            return False
        self._signer.sign_one()
        self._waits_since = time.monotonic()
        return True


def learners_wait() -> bool:
    """Whether somebody's run waits or is going on, or somebody has just handed one in."""
    recent = Q(created_at__gt=timezone.now() - IDLE_AFTER)
    return Submission.objects.filter(Q(state__in=UNFINISHED) | recent).exists()
