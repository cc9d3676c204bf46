from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from judge.accounts.audit import record
from judge.accounts.models import Action, User
from judge.catalog.markdown import highlight_python
from judge.catalog.models import Problem
from judge.catalog.views import unlocked
from judge.submissions.models import MAX_UNFINISHED, Draft, Submission, TooFast, TooManyUnfinished
from judge.submissions.report import state_of
from judge.submissions.source import BadSource, posted
from judge.submissions.tasks import ring_on_commit

_STATUS = {"not_signed_in": 401, "too_large": 413, "rate": 429}
_UNFINISHED = f"{MAX_UNFINISHED} of your runs are not finished yet. Your code is saved; run it when one of them is."
_FAST = "You have run the tests very often within a minute. Your code is saved; run it in a minute."


@require_http_methods(["PUT", "DELETE"])
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Saves what is in the editor, or goes back to the starter."""
    if not request.user.is_authenticated:
        return _error("not_signed_in", "Sign in to keep your code on the server.")
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    if request.method == "DELETE":
        Draft.objects.filter(user=request.user, problem=problem).delete()
        return JsonResponse({"source": problem.package.starter})
    try:
        source = posted(request)
    except BadSource as reason:
        return _error(reason.code, str(reason))
    saved = Draft.keep(request.user, problem, source)
    return JsonResponse({"saved_at": saved.saved_at.isoformat()})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def submissions(request: HttpRequest, slug: str) -> HttpResponse:
    """One's own submissions to a problem; a POST hands one in."""
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    if request.method == "POST":
        return _hand_in(request, problem)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    context = {
        "problem": problem,
        "package": problem.package,
        "tab": "submissions",
        "unlocked": unlocked(request, problem),
        "submissions": Submission.objects.of(request.user, problem),
    }
    return render(request, "submissions/list.html", context)


def _hand_in(request: HttpRequest, problem: Problem) -> HttpResponse:
    as_json = request.content_type == "application/json"
    if not request.user.is_authenticated:
        if as_json:
            return _error("not_signed_in", "Sign in to run the tests.")
        return redirect_to_login(reverse("problem", args=[problem.slug]))
    try:
        source = posted(request)
        Draft.keep(request.user, problem, source)
        submission = Submission.hand_in(request.user, problem, source)
    except (BadSource, TooManyUnfinished, TooFast) as reason:
        code = reason.code if isinstance(reason, BadSource) else "rate"
        message = str(reason) or (_FAST if isinstance(reason, TooFast) else _UNFINISHED)
        if as_json:
            return _error(code, message)
        context = {"problem": problem, "message": message}
        return render(request, "submissions/refused.html", context, status=_STATUS.get(code, 400))
    ring_on_commit(submission.pk)
    if not as_json:
        return redirect("report", submission.pk)
    urls = {"url": reverse("report", args=[submission.pk]), "state_url": reverse("report-state", args=[submission.pk])}
    return JsonResponse({"id": str(submission.pk), **urls}, status=201)


@never_cache
@login_required
@require_safe
def report_page(request: HttpRequest, submission_id: UUID) -> HttpResponse:
    """The report as a page of its own; complete without scripts."""
    assert isinstance(request.user, User)
    viewer = request.user
    submission = _visible_submission(viewer, submission_id)
    if submission.user_id != viewer.pk:
        record(viewer, Action.LOOKED, submission, submission.words)
    context = {
        "submission": submission,
        "problem": submission.problem,
        "package": submission.version.package,
        "report": state_of(submission, viewer),
        "source_html": highlight_python(submission.source),
    }
    return render(request, "submissions/report.html", context)


@never_cache
@require_safe
def report_state(request: HttpRequest, submission_id: UUID) -> HttpResponse:
    """The report as JSON: the checks from the order `after` on."""
    if not request.user.is_authenticated:
        return _error("not_signed_in", "Sign in again to see this report.")
    after = request.GET.get("after", "0")
    if not after.isdecimal() or len(after) > 6:
        return _error("bad_request", "`after` must be a whole number, 0 or more.")
    return JsonResponse(state_of(_visible_submission(request.user, submission_id), request.user, int(after)))


def _visible_submission(viewer: User, submission_id: UUID) -> Submission:
    """Of other people's work, who doesn't teach is not even told that it exists."""
    submission = get_object_or_404(Submission.objects.with_problem(), pk=submission_id)
    if submission.user_id != viewer.pk and not viewer.teaches:
        raise Http404
    return submission


def _error(code: str, message: str) -> JsonResponse:
    return JsonResponse({"error": {"code": code, "message": message}}, status=_STATUS.get(code, 400))
