"""Judging submissions again, for a rejudgement: nothing of the submissions changes.

Every item is claimed by a conditional update and judged as one more job, which waits for its turn among the learners'.
A worker that dies leaves a claim behind that is void after a while. What the sandbox can't judge is tried a few times,
then it ends as `judge_error`, and applying the rejudgement leaves that submission as it is.
"""

import dataclasses
import datetime

import structlog
from django.db.models import Q

from judge import clock
from judge.catalog.models import PackageVersion
from judge.catalog.verify.jobs import JudgesJobs
from judge.submissions.judging import seed_of
from judge.submissions.models import CHANGING, Rejudged, Rejudgement, Stage
from judge.submissions.outcomes import outcomes_of
from judge.submissions.results import check_values, run_values
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Job, Outcome, Started, Verdict

log = structlog.stdlib.get_logger(__name__)

OWNER = "rejudgement"
ATTEMPTS = 3
DEAD_AFTER = datetime.timedelta(seconds=300)
"""A claim that is older was a dead worker's: no run takes so long."""


def judge_one(client: JudgesJobs, rejudgement: Rejudgement | None = None) -> bool:
    """Judges one waiting item, of `rejudgement` or of any. False if none waits. Raises `SandboxUnavailable`."""
    item = _claim(rejudgement)
    if item is None:
        return False
    try:
        values = _judged(item, client)
    except BaseException:
        _write(item, claimed_at=None)
        raise
    _write(item, **values)
    return True


def change_some() -> bool:
    """Goes on with one that is being applied or undone. False if there is none."""
    rejudgement = Rejudgement.objects.filter(stage__in=CHANGING).order_by("created_at").first()
    if rejudgement is None:
        return False
    rejudgement.advance()
    return True


def _claim(rejudgement: Rejudgement | None) -> Rejudged | None:
    now = clock.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - DEAD_AFTER)
    waiting = Rejudged.objects.filter(free, verdict="", rejudgement__stage=Stage.OPEN)
    if rejudgement is not None:
        waiting = waiting.filter(rejudgement=rejudgement)
    item = waiting.select_related("submission", "rejudgement__version").defer("rejudgement__version__files").first()
    if item is None:
        return None
    if Rejudged.objects.filter(pk=item.pk, claimed_at=item.claimed_at, verdict="").update(claimed_at=now) != 1:
        return _claim(rejudgement)
    item.claimed_at = now
    return item


def _judged(item: Rejudged, client: JudgesJobs) -> dict[str, object]:
    """What to store of the item."""
    version = item.rejudgement.version
    planned, results, outcome = _run(item, version, client)
    if outcome.verdict is Verdict.JUDGE_ERROR:
        faults = item.faults + 1
        log.error("judging again failed", item=item.pk, fault=outcome.message, attempt=faults)
        return {"faults": faults, "claimed_at": None, "verdict": outcome.verdict.value if faults >= ATTEMPTS else ""}
    if planned and not version.planned:
        PackageVersion.objects.filter(pk=version.pk).update(planned=[dataclasses.asdict(check) for check in planned])
    run = run_values(outcome, outcomes_of(results), len(planned)) | {"faults": 0, "lost": 0, "broken": 0}
    checks = [check_values(order, result) for order, result in enumerate(results)]
    after = {"run": {"version_id": version.pk, **run}, "checks": checks}
    return {"verdict": outcome.verdict.value, "after": after}


def _run(
    item: Rejudged, version: PackageVersion, client: JudgesJobs
) -> tuple[tuple[CheckInfo, ...], list[CheckResult], Outcome]:
    source = item.submission.source
    package = version.package
    job = Job(
        id=f"again {item.submission_id}",
        submission=source,
        package=package.for_judging(),
        limits=package.limits,
        seed=seed_of(source),
        owner=OWNER,
    )
    planned: tuple[CheckInfo, ...] = ()
    results: list[CheckResult] = []
    outcome = Outcome(Verdict.JUDGE_ERROR, "The sandbox ended the job without an outcome.")
    for event in client.judge(job):
        match event:
            case Started(checks):
                planned = checks
            case CheckFinished(result):
                results.append(result)
            case Outcome():
                outcome = event
    return planned, results, outcome


def _write(item: Rejudged, **values: object) -> None:
    """Stores `values` if the claim is still this one."""
    Rejudged.objects.filter(pk=item.pk, claimed_at=item.claimed_at, verdict="").update(**values)
