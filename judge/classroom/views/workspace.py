"""The first page of the workspace: every problem, published or not."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judge.catalog.models import Problem
from judge.classroom.roles import TeacherRequest, instructors_only


@require_safe
@instructors_only
def home(request: TeacherRequest) -> HttpResponse:
    problems = Problem.objects.order_by("slug").select_related("current").defer("current__files")
    return render(request, "classroom/home.html", {"tab": "problems", "problems": problems})
