"""Finding runs, reading one beside its report, and comparing two."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from judge.accounts.audit import record
from judge.accounts.models import Action
from judge.catalog.markdown import highlight_python
from judge.catalog.models import PackageVersion, Problem
from judge.classroom.details import JudgeDetails
from judge.classroom.exports import csv_file
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.search import UNEXPLAINED, Page, Search, SearchForm
from judge.classroom.side_by_side import side_by_side
from judge.submissions.models import Submission
from judge.submissions.report import state_of

_MOST_ROWS = 200_000


@instructors_only
@require_safe
def find(request: TeacherRequest) -> HttpResponse:
    """The newest first, a page at a time; two that are ticked can be compared."""
    form = SearchForm(request.GET)
    context: dict[str, Any] = {"tab": "submissions", "form": form, "unexplained": UNEXPLAINED}
    if form.is_valid():
        search = Search(form.cleaned_data)
        page = Page.of(search, before=request.GET.get("before", ""), after=request.GET.get("after", ""))
        context |= {"search": search, "page": page, **_choices(search.problem)}
    return render(request, "classroom/submissions.html", context)


@instructors_only
@require_safe
def find_csv(request: TeacherRequest) -> HttpResponseBase:
    form = SearchForm(request.GET)
    if not form.is_valid():
        return HttpResponse(
            "This search means nothing. Go back and change it.\n", status=400, content_type="text/plain"
        )
    columns = ["id", "learner", "problem", "run", "sent", "ended"]
    columns += ["verdict", "passed", "checks", "ms", "version", "pattern"]
    return csv_file("submissions", columns, _csv_rows(Search(form.cleaned_data)))


def _csv_rows(search: Search) -> Iterator[tuple[object, ...]]:
    fields = [
        "user__username",
        "problem__slug",
        "number",
        "created_at",
        "finished_at",
        "verdict",
        "passed",
        "total",
        "ms",
    ]
    found = search.found().values_list("pk", *fields, "version__version", "pattern")[:_MOST_ROWS]
    for key, learner, slug, number, sent, ended, *rest in found.iterator():
        yield (key, learner, slug, number, sent.isoformat(), ended.isoformat() if ended else "", *rest)


def _choices(problem: Problem | None) -> dict[str, Any]:
    """What can be chosen once a problem is: its checks, known mistakes and versions."""
    if problem is None or problem.current_id is None:
        return {}
    current = PackageVersion.objects.select_related("problem").defer("files").get(pk=problem.current_id)
    versions = problem.versions.defer("files", "planned").order_by("-created_at")
    return {"checks": current.planned, "mistakes": current.package.mistakes, "versions": versions}


@instructors_only
@require_safe
def submission(request: TeacherRequest, submission_id: UUID) -> HttpResponse:
    """One run: the code with the report beside it, and what the judge knows of it."""
    run = _run(submission_id)
    record(request.user, Action.LOOKED, run, run.words)
    around = Submission.objects.filter(user=run.user, problem=run.problem)
    context = {
        "tab": "submissions",
        "submission": run,
        "problem": run.problem,
        "package": run.version.package,
        "report": state_of(run, request.user),
        "source_html": highlight_python(run.source),
        "details": JudgeDetails.of(run),
        "before": around.filter(number__lt=run.number).order_by("-number").only("pk", "number").first(),
        "after": around.filter(number__gt=run.number).order_by("number").only("pk", "number").first(),
    }
    return render(request, "classroom/submission.html", context)


@instructors_only
@require_safe
def compare(request: TeacherRequest) -> HttpResponse:
    """Any two runs side by side: `run` twice, or `left` and `right`."""
    keys = request.GET.getlist("run") or [request.GET.get(side, "") for side in ("left", "right")]
    try:
        left, right = (_run(UUID(key)) for key in keys)
    except ValueError:
        return render(request, "classroom/compare_refused.html", {"tab": "submissions"}, status=400)
    for run in (left, right):
        record(request.user, Action.LOOKED, run, run.words)
    context = {
        "tab": "submissions",
        "sides": (left, right),
        "blocks": side_by_side(left.source, right.source),
        "turned": urlencode({"left": str(right.pk), "right": str(left.pk)}),
        "changes": _changed_checks(left, right),
    }
    return render(request, "classroom/compare_runs.html", context)


def _changed_checks(left: Submission, right: Submission) -> list[dict[str, str]]:
    """Checks that both had and that ended otherwise, in the order of the right one."""
    before = {result.check_id: result.status for result in left.checks.all()}
    titles = {check["id"]: check["title"] for check in right.version.planned}
    return [
        {
            "title": titles.get(result.check_id, result.check_id),
            "before": before[result.check_id],
            "after": result.status,
        }
        for result in right.checks.all()
        if before.get(result.check_id, result.status) != result.status
    ]


def _run(submission_id: UUID) -> Submission:
    return get_object_or_404(Submission.objects.with_problem(), pk=submission_id)
