"""The first page of the workspace: every problem, published or not, and every draft."""

import dataclasses

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judge.catalog.models import Problem
from judge.classroom.models import PackageDraft
from judge.classroom.roles import TeacherRequest, instructors_only


@dataclasses.dataclass
class Row:
    """A problem, a draft of one, or both."""

    slug: str
    problem: Problem | None = None
    draft: PackageDraft | None = None


@instructors_only
@require_safe
def home(request: TeacherRequest) -> HttpResponse:
    rows: dict[str, Row] = {}
    for problem in Problem.objects.select_related("current").defer("current__files"):
        rows[problem.slug] = Row(problem.slug, problem)
    for draft in PackageDraft.objects.select_related("saved_by", "based_on").defer("based_on__files"):
        rows.setdefault(draft.slug, Row(draft.slug)).draft = draft
    context = {"tab": "problems", "rows": sorted(rows.values(), key=lambda row: row.slug)}
    return render(request, "classroom/home.html", context)
