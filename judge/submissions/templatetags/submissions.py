"""What the problem page, which is the catalog's, shows of submissions: the editor with the latest report."""

import itertools
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from judge.catalog.models import Problem
from judge.catalog.views import unlocked
from judge.submissions.models import Draft, Submission
from judge.submissions.report import sentence as report_sentence
from judge.submissions.report import state_of
from sandbox.protocol import MAX_SUBMISSION_BYTES

register = template.Library()


@register.inclusion_tag("submissions/_workbench.html", takes_context=True)
def workbench(context: dict[str, Any], problem: Problem) -> dict[str, Any]:
    """The editor, *Run tests* and the latest report of who looks at the page."""
    request: HttpRequest = context["request"]
    package = problem.package
    draft = latest = None
    if request.user.is_authenticated:
        draft = Draft.objects.filter(user=request.user, problem=problem).first()
        newest = Submission.objects.of(request.user, problem).first()
        latest = state_of(newest, request.user) if newest else None
    page = reverse("problem", args=[problem.slug])
    data = {
        "slug": problem.slug,
        "starter": package.starter,
        "source": draft.source if draft else package.starter,
        "saved_at": draft.saved_at.isoformat() if draft else None,
        "urls": {
            "draft": reverse("draft", args=[problem.slug]),
            "submit": reverse("submissions", args=[problem.slug]),
            "notes": reverse("notes", args=[problem.slug]),
            "submissions": reverse("submissions", args=[problem.slug]),
            "sign_in": f"{reverse('sign-in')}?{urlencode({'next': page})}",
        },
        "functions": list(package.functions),
        "latest": latest,
        "signed_in": request.user.is_authenticated,
        "read_only": getattr(request, "viewed_by", None) is not None,
        "notes_open": unlocked(request, problem),
        "limits": {
            "bytes": MAX_SUBMISSION_BYTES,
            "check_seconds": package.limits.check_seconds,
            "total_seconds": package.limits.total_seconds,
            "memory_mb": package.limits.memory_mb,
        },
    }
    return {"request": request, "csrf_token": context.get("csrf_token"), "data": data, "report": latest}


@register.filter
def in_sections(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The passed checks of a report by the sections of the statement, without empty sections."""
    groups = [
        {
            "title": section["title"],
            "checks": [
                check for check in report["checks"] if check["section"] == section["id"] and check["status"] == "passed"
            ],
        }
        for section in [*report["sections"], {"id": "", "title": "Other"}]
    ]
    return [group for group in groups if group["checks"]]


@register.filter
def failed(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The checks of a report that ran and did not pass."""
    return [check for check in report["checks"] if check["status"] not in ("passed", "not_run")]


@register.filter
def verdict_sentence(submission: Submission) -> str:
    """The first line of the report, for a row in a list."""
    return report_sentence(submission)


@register.filter
def pairs(chart: dict[str, Any]) -> list[tuple[str, str]]:
    """The judge's number and the learner's of each step of a chart, as text."""
    got = chart["got"] or [None] * len(chart["expected"])
    return [(_number(one), _number(other)) for one, other in zip(chart["expected"], got, strict=True)]


@register.filter
def entries(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a state of one step, each with its place, such as `[0, 2]`."""
    places = itertools.product(*(range(size) for size in state["shape"]))
    got = state["got"] or [None] * len(state["expected"])
    return [
        {"index": list(place) or "", "expected": _number(one), "got": _number(other), "differs": differs}
        for place, one, other, differs in zip(places, state["expected"], got, state["differs"], strict=True)
    ]


def _number(value: float | str | None) -> str:
    """Six digits of a number; a word as it is, and a dash for nothing."""
    if value is None:
        return "\N{EN DASH}"
    return f"{value:.6g}" if isinstance(value, int | float) else value
