import datetime
import hmac
import statistics

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
from judge.operations import metrics
from judge.operations.figures import Queue
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
    context = {
        "queue": Queue.now(),
        "readiness": readiness(),
        "verdicts": verdicts,
        "seconds": _seconds_of_the_last_hour(),
        "workers": Worker.objects.all(),
        "faults": faults.order_by(F("alive_at").desc(nulls_last=True))[:MAX_FAULTS],
    }
    return render(request, "operations/status.html", context)


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
