"""Makes the signatures of known mistakes in the background, and diagnoses what waited for them.

Every worker does it, in a daemon thread, when learners leave the sandbox idle: a learner's run is never behind more
than one job of this. A version is claimed by a conditional update and a sign of life, so that several workers share the
work by versions, and what a dead one had begun is gone on with. Until a version is signed its reports name no mistake.
"""

import datetime
import threading
import time

import structlog
from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from judge.catalog.models import PackageVersion
from judge.catalog.signatures import FORMAT, Signature
from judge.catalog.signing import NotSigned, sign
from judge.catalog.verify.jobs import JudgesJobs
from judge.submissions.models import UNFINISHED, State, Submission
from sandbox.client import SandboxUnavailable
from sandbox.protocol import Verdict

log = structlog.stdlib.get_logger(__name__)

ROUND_SECONDS = 2.0
"""How often it is looked whether there is something to do."""
IDLE_AFTER = datetime.timedelta(seconds=5)
"""The sandbox counts as idle so long after the last submission."""
PATIENCE_SECONDS = 60.0
"""On a site that is never idle, a mistake waits so long for its turn."""
DEAD_AFTER = datetime.timedelta(seconds=120)
"""A worker that has signed nothing for so long has died, or can't."""
AT_ONCE = 100
"""Submissions that are diagnosed in one round."""


class Signer(threading.Thread):
    """Signs and diagnoses until `stop` is set."""

    def __init__(self, client: JudgesJobs) -> None:
        super().__init__(name="signer", daemon=True)
        self.stop = threading.Event()
        self._client = client

    def run(self) -> None:
        while not self.stop.wait(ROUND_SECONDS):
            try:
                self.sign_one_version()
                diagnose_the_waiting()
            except SandboxUnavailable as error:
                log.warning("known mistakes can't be judged now", error=str(error))
            except Exception:
                log.exception("signing failed; it goes on")
            finally:
                connection.close()

    def sign_one_version(self) -> bool:
        """Signs the mistakes of one published version. False if there is none, or others are at it."""
        for version in _unsigned():
            if _claim(version):
                self._sign(version)
                return True
        return False

    def _sign(self, version: PackageVersion) -> None:
        mistakes = version.unsigned()
        start = time.monotonic()
        version.keep_signatures(())
        for mistake in mistakes:
            self._await_idleness()
            if self.stop.is_set():
                return
            try:
                (signature,) = sign(version.package, [mistake], self._client, jobs=1)
            except NotSigned as reason:
                log.error("a known mistake can't be judged, and is never named", reason=str(reason))
                signature = Signature(mistake.file, {}, frozenset())
            version.keep_signatures([signature])
            PackageVersion.objects.filter(pk=version.pk).update(signing_at=timezone.now())
        seconds = round(time.monotonic() - start, 1)
        log.info("signed", problem=version.problem.slug, version=version.version, mistakes=len(mistakes), s=seconds)

    def _await_idleness(self) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while _learners_wait() and time.monotonic() < end and not self.stop.wait(0.5):
            pass


def diagnose_the_waiting() -> None:
    """Diagnoses failed submissions that ended before the signatures of their version were known."""
    waiting = Submission.objects.filter(diagnosed=False, version__signed_format=FORMAT, state=State.FINISHED)
    for submission in waiting.exclude(verdict__in=(Verdict.ACCEPTED, Verdict.JUDGE_ERROR)).with_problem()[:AT_ONCE]:
        submission.diagnose()


def _unsigned() -> list[PackageVersion]:
    """Published versions without all signatures that nobody is at."""
    versions = PackageVersion.objects.exclude(signed_format=FORMAT).filter(problem__current=F("pk"))
    free = Q(signing_at=None) | Q(signing_at__lt=timezone.now() - DEAD_AFTER)
    return list(versions.filter(free).select_related("problem").defer("files").order_by("pk"))


def _claim(version: PackageVersion) -> bool:
    unchanged = PackageVersion.objects.filter(pk=version.pk, signing_at=version.signing_at)
    return unchanged.update(signing_at=timezone.now()) == 1


def _learners_wait() -> bool:
    """Whether somebody's run waits or is going on, or somebody has just handed one in."""
    recent = Q(created_at__gt=timezone.now() - IDLE_AFTER)
    return Submission.objects.filter(Q(state__in=UNFINISHED) | recent).exists()
