"""Where learners get stuck: all problems, one problem, one check of it, and what fails alike."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from judge.accounts.audit import record
from judge.accounts.models import Action
from judge.catalog.markdown import highlight_python
from judge.catalog.models import Problem
from judge.classroom.activity import Activity, Summary
from judge.classroom.charts import attempts_chart, days_chart
from judge.classroom.clusters import Cluster
from judge.classroom.exports import csv_file
from judge.classroom.models.drafts import BadFile, Conflict, PackageDraft
from judge.classroom.reports import CheckRow, ProblemReport
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.search import UNEXPLAINED, Search, stuck_standings
from judge.classroom.wrong import wrong_file
from judge.submissions.models import Submission
from judge.submissions.standings import STUCK_AFTER

_MEMBERS = 30


@instructors_only
@require_safe
def reports(request: TeacherRequest) -> HttpResponse:
    summaries = Summary.of_all(Problem.objects.all().in_order())
    return render(request, "classroom/reports.html", {"tab": "reports", "summaries": summaries})


@instructors_only
@require_safe
def problem_report(request: TeacherRequest, slug: str) -> HttpResponse:
    """The matrix of checks by outcome, what is not explained, and how much went on."""
    problem = _published(slug)
    report, activity = ProblemReport.of(problem), Activity.of(problem)
    context = {
        **_context(problem),
        "report": report,
        "verdicts": activity.verdicts.most_common(),
        "runs": sum(activity.verdicts.values()),
        "clusters": Cluster.of_problem(problem),
        "stuck_after": STUCK_AFTER,
        "charts": [days_chart(activity), attempts_chart(report)],
    }
    return render(request, "classroom/problem_report.html", context)


@instructors_only
@require_safe
def problem_report_csv(request: TeacherRequest, slug: str) -> HttpResponseBase:
    report = ProblemReport.of(_published(slug))
    parts = ("passed", "failed", "raised", "stopped", "not_reached")
    columns = [
        "check",
        "title",
        "section",
        "required",
        *(f"{when}_{part}" for when in ("first", "latest") for part in parts),
    ]
    columns += ["stuck", "learners_passed", "median_attempts", "explained_by"]
    return csv_file(f"{slug}-checks", columns, (_csv_row(row, parts) for row in report.rows))


def _csv_row(row: CheckRow, parts: tuple[str, ...]) -> list[object]:
    counts = [getattr(outcomes, part) for outcomes in (row.first, row.latest) for part in parts]
    explained = "; ".join(f"{explanation.file} ({explanation.runs})" for explanation in row.explanations)
    passed = sum(row.attempts.values())
    return [
        row.id,
        row.title,
        row.section,
        row.required,
        *counts,
        len(row.stuck),
        passed,
        row.median_attempts,
        explained,
    ]


@instructors_only
@require_safe
def check_report(request: TeacherRequest, slug: str, check: str) -> HttpResponse:
    """One check: who is stuck on it, and why it fails."""
    problem = _published(slug)
    report = ProblemReport.of(problem)
    row = report.row(check)
    if row is None:
        raise Http404
    clusters = [cluster for cluster in Cluster.of_problem(problem) if check in {each["id"] for each in cluster.checks}]
    context = {
        **_context(problem),
        "report": report,
        "row": row,
        "unexplained": Search({"problem": problem, "check": check, "diagnosis": UNEXPLAINED}).count(),
        "stuck": sorted(stuck_standings(problem, check), key=lambda standing: standing.latest_at, reverse=True),
        "clusters": clusters,
        "stuck_after": STUCK_AFTER,
        "charts": [attempts_chart(report, row)],
    }
    return render(request, "classroom/check_report.html", context)


@instructors_only
@require_safe
def cluster_report(request: TeacherRequest, slug: str, pattern: str) -> HttpResponse:
    """Runs that fail alike, with one of them to look at."""
    problem = _published(slug)
    cluster = Cluster.find(problem, pattern)
    if cluster is None:
        raise Http404
    record(request.user, Action.LOOKED, cluster.example, cluster.example.words)
    members = Submission.objects.filter(problem=problem, pattern=pattern).select_related("user")
    results = {result.check_id: result for result in cluster.example.checks.all()}
    context = {
        **_context(problem),
        "cluster": cluster,
        "failed": [(check, results[check["id"]]) for check in cluster.checks if check["id"] in results],
        "members": members.only("user", "number", "created_at", "verdict", "passed", "total").order_by("-created_at")[
            :_MEMBERS
        ],
        "source_html": highlight_python(cluster.example.source),
    }
    return render(request, "classroom/cluster.html", context)


@instructors_only
@require_POST
def make_wrong(request: TeacherRequest, slug: str, pattern: str) -> HttpResponse:
    """Puts the example of a cluster into the draft of the problem as a new known mistake, and opens it there."""
    problem = _published(slug)
    cluster = Cluster.find(problem, pattern)
    if cluster is None:
        raise Http404
    path, text = wrong_file(problem, cluster)
    draft = PackageDraft.opened(problem, request.user)
    try:
        draft.save_file(path, text, 0, request.user)
    except Conflict:
        pass  # it is there already, and somebody has gone on with it
    except BadFile as reason:
        messages.error(request, str(reason))
        return redirect("cluster", slug, pattern)
    return redirect(f"{reverse('draft-editor', args=[slug])}?{urlencode({'file': path})}")


def _published(slug: str) -> Problem:
    return get_object_or_404(Problem.objects.all().published(), slug=slug)


def _context(problem: Problem) -> dict[str, Any]:
    return {"tab": "reports", "problem": problem, "package": problem.package}
