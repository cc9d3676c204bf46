"""Makes the signatures of known mistakes, and diagnoses what waited for them.

A version is claimed by a conditional update and signs of life, so that several workers share the work by versions, and
what a dead one had begun is gone on with. Until a version is signed its reports name no mistake.
"""

import datetime

import structlog
from django.db import transaction
from django.db.models import F, Q

from judge import clock
from judge.catalog.mistakes import Mistake
from judge.catalog.models import PackageVersion
from judge.catalog.signatures import FORMAT, Signature
from judge.catalog.signing import NotSigned, sign
from judge.catalog.verify.jobs import JudgesJobs
from judge.submissions.models import State, Submission
from sandbox.client import SandboxUnavailable
from sandbox.protocol import Verdict

log = structlog.stdlib.get_logger(__name__)

DEAD_AFTER = datetime.timedelta(seconds=120)
"""A worker that has signed nothing for so long has died, or can't."""
AT_ONCE = 100
"""Submissions that are diagnosed in one go."""


class Signer:
    """Signs the known mistakes of published versions, one after another."""

    def __init__(self, client: JudgesJobs) -> None:
        self._client = client
        self._claimed: PackageVersion | None = None

    def has_work(self) -> bool:
        """Whether a version is to be signed by this worker; claims one if it has none."""
        if self._claimed is None:
            self._claimed = next((version for version in _unsigned() if _claim(version)), None)
        return self._claimed is not None

    def sign_one(self) -> None:
        """Signs one mistake of the claimed version. Raises `SandboxUnavailable`, and gives the claim up."""
        version, self._claimed = self._claimed, None
        assert version is not None, "ask has_work first"
        missing = version.unsigned()
        try:
            version.keep_signatures([self._signature(version, mistake) for mistake in missing[:1]])
        except SandboxUnavailable:
            PackageVersion.objects.filter(pk=version.pk).update(signing_at=None)
            raise
        PackageVersion.objects.filter(pk=version.pk).update(signing_at=clock.now())
        if version.is_signed:
            log.info("signed", problem=version.problem.slug, version=version.version, mistakes=len(version.signatures))
        else:
            self._claimed = version

    def _signature(self, version: PackageVersion, mistake: Mistake) -> Signature:
        try:
            (signature,) = sign(version.package, [mistake], self._client, jobs=1)
        except NotSigned as reason:
            log.error("a known mistake can't be judged, and is never named", reason=str(reason))
            return Signature(mistake.file, {}, frozenset())
        return signature


def diagnose_the_waiting() -> None:
    """Diagnoses failed submissions that ended before the signatures of their version were known."""
    waiting = Submission.objects.filter(diagnosed=False, version__signed_format=FORMAT, state=State.FINISHED)
    for submission in waiting.exclude(verdict__in=(Verdict.ACCEPTED, Verdict.JUDGE_ERROR)).with_problem()[:AT_ONCE]:
        with transaction.atomic():
            submission.diagnose()
            submission.record_progress(again=True)


def _unsigned() -> list[PackageVersion]:
    """Published versions without all signatures that nobody is at."""
    versions = PackageVersion.objects.exclude(signed_format=FORMAT).filter(problem__current=F("pk"))
    free = Q(signing_at=None) | Q(signing_at__lt=clock.now() - DEAD_AFTER)
    return list(versions.filter(free).select_related("problem").defer("files").order_by("pk"))


def _claim(version: PackageVersion) -> bool:
    unchanged = PackageVersion.objects.filter(pk=version.pk, signing_at=version.signing_at)
    return unchanged.update(signing_at=clock.now()) == 1
