import datetime
import hmac
import statistics
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judge.accounts.models import User
from judge.classroom.models import RunState, VerificationRun
from judge.operations import metrics
from judge.operations.figures import Queue, Verifications
from judge.operations.models import Worker
from judge.operations.readiness import OK, readiness
from judge.submissions.models import State, Submission

MAX_FAULTS = 20


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Each thing that the site depends on, by name; the status is 503 if one is missing."""
    found = readiness()
    return JsonResponse(found, status=200 if set(found.values()) == {OK} else 503)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    expected = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if settings.METRICS_TOKEN and not hmac.compare_digest(given.encode(), expected.encode()):
        return HttpResponse("Send `Authorization: Bearer` with PAPERJUDGE_METRICS_TOKEN.\n", "text/plain", 401)
    return HttpResponse(metrics.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


@never_cache
@login_required
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """What an administrator needs to know: the queue, workers, sandboxes, and what failed last."""
    assert isinstance(request.user, User)
    if not request.user.administers:
        raise PermissionDenied
    day_ago = timezone.now() - datetime.timedelta(days=1)
    finished = Submission.objects.filter(state=State.FINISHED, finished_at__gt=day_ago)
    verdicts = finished.values("verdict").annotate(times=Count("pk")).order_by("-times")
    faults = Submission.objects.exclude(fault="").select_related("user", "problem").defer("source", "version__files")
    failed = VerificationRun.objects.filter(state=RunState.FAILED).select_related("draft").defer("files", "result")
    workers = list(Worker.objects.all())
    context = {
        "queue": Queue.now(),
        "verifications": Verifications.now(),
        "readiness": readiness(),
        "verdicts": verdicts,
        "seconds": _seconds_of_the_last_hour(),
        "workers": workers,
        "shields": _shields(workers),
        "faults": faults.order_by(F("alive_at").desc(nulls_last=True))[:MAX_FAULTS],
        "failed_verifications": failed.order_by(F("finished_at").desc(nulls_last=True))[:MAX_FAULTS],
    }
    return render(request, "operations/status.html", context)


def _shields(workers: list[Worker]) -> list[dict[str, Any]]:
    """What protects the sandboxes, each answer once: workers of one machine share a sandbox, and machines are alike."""
    found: list[dict[str, Any]] = []
    for worker in workers:
        if not worker.is_alive or worker.sandbox is None:
            continue
        said = {name: worker.sandbox.get(name, {}) for name in ("protections", "missing")}
        alike = next((shield for shield in found if said.items() <= shield.items()), None)
        if alike is None:
            found.append({**said, "workers": [worker.name]})
        else:
            alike["workers"].append(worker.name)
    return found


def _seconds_of_the_last_hour() -> dict[str, float] | None:
    """From the click to the verdict: how many, the median, and what 95 of 100 stayed below."""
    hour_ago = timezone.now() - datetime.timedelta(hours=1)
    times = Submission.objects.filter(state=State.FINISHED, finished_at__gt=hour_ago).values_list(
        "created_at", "finished_at"
    )
    seconds = sorted((finished - created).total_seconds() for created, finished in times if finished)
    if not seconds:
        return None
    return {
        "count": len(seconds),
        "median": statistics.median(seconds),
        "percentile": seconds[max(0, -(-len(seconds) * 95 // 100) - 1)],
    }
