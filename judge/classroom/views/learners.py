"""Everybody who learns here, and one of them."""

from collections import defaultdict
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum, TextChoices
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judge.accounts.models import Role, User
from judge.catalog.models import Problem, Progress
from judge.classroom.charts import timeline_chart
from judge.classroom.exports import csv_file
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.submissions.models import Standing, Submission
from judge.submissions.outcomes import FAILED, PASSED
from judge.submissions.standings import STUCK_AFTER

A_PAGE = 100
_SORTS = {"name": "username", "runs": "-runs", "recent": "-latest", "solved": "-solved"}
_MOST_RUNS = 200


class Shown(TextChoices):
    """Which learners the list is kept to."""

    STUCK = "stuck", "Stuck now"
    UNSOLVED = "unsolved", "Tried and not solved something"
    NONE = "none", "Without any run"


@instructors_only
@require_safe
def learners(request: TeacherRequest) -> HttpResponse:
    """By name, or as `sort` says; `name` and `state` keep some of them."""
    problems = Problem.objects.all().in_order()
    name, state, sort = (request.GET.get(key, "").strip() for key in ("name", "state", "sort"))
    page = Paginator(_found(name, state).order_by(_SORTS.get(sort, "username"), "pk"), A_PAGE).get_page(
        request.GET.get("page")
    )
    standings = _standings([user.pk for user in page])
    context = {
        "tab": "learners",
        "problems": problems,
        "page": page,
        "rows": [(user, [standings.get((user.pk, problem.pk)) for problem in problems]) for user in page],
        "name": name,
        "state": state,
        "states": Shown,
        "sort": sort if sort in _SORTS else "name",
    }
    return render(request, "classroom/learners.html", context)


@instructors_only
@require_safe
def learners_csv(request: TeacherRequest) -> HttpResponseBase:
    problems = Problem.objects.all().in_order()
    standings = _standings(None)
    columns = [
        "learner",
        "last_run",
        *(f"{problem}_{what}" for problem in problems for what in ("attempts", "solved", "stuck")),
    ]
    users = User.objects.filter(role=Role.LEARNER).annotate(latest=Max("standings__latest_at")).order_by("username")

    def row(user: Any) -> list[object]:
        told: list[object] = [user.username, user.latest.isoformat() if user.latest else ""]
        for problem in problems:
            standing = standings.get((user.pk, problem.pk))
            told += [standing.attempts, standing.attempts_to_solve or "", standing.stuck] if standing else [0, "", 0]
        return told

    return csv_file("learners", columns, (row(user) for user in users))


def _found(name: str, state: str) -> "QuerySet[User]":
    users = User.objects.filter(Q(role=Role.LEARNER) | Q(standings__isnull=False))
    if name:
        users = users.filter(username__icontains=name)
    theirs = Standing.objects.filter(user=OuterRef("pk"))
    kept = {Shown.STUCK: Exists(theirs.filter(stuck__gt=0)), Shown.NONE: ~Exists(theirs)}
    kept[Shown.UNSOLVED] = Exists(theirs.filter(attempts_to_solve=None))
    if state in Shown.values:
        users = users.filter(kept[Shown(state)])
    solved = Count("standings", filter=Q(standings__attempts_to_solve__isnull=False))
    return users.annotate(runs=Sum("standings__attempts"), latest=Max("standings__latest_at"), solved=solved)


def _standings(users: list[int] | None) -> dict[tuple[int, int], Standing]:
    found = Standing.objects.defer("attempts_to_pass", "failed_in_a_row", "mistakes")
    if users is not None:
        found = found.filter(user__in=users)
    return {(standing.user_id, standing.problem_id): standing for standing in found}


@instructors_only
@require_safe
def learner(request: TeacherRequest, user_id: int) -> HttpResponse:
    """Progress, attempts and the time line of somebody, problem by problem."""
    user = get_object_or_404(User, pk=user_id)
    standings = {
        standing.problem_id: standing
        for standing in Standing.objects.filter(user=user).select_related("version").defer("version__files")
    }
    solved = dict(Progress.objects.filter(user=user).values_list("problem", "solved_at"))
    runs: dict[int, list[Submission]] = defaultdict(list)
    for run in (
        Submission.objects.filter(user=user)
        .order_by("-created_at")
        .defer("source", "printed", "message")[: 5 * _MOST_RUNS]
    ):
        runs[run.problem_id].append(run)
    problems = [problem for problem in Problem.objects.all().in_order() if problem.pk in runs]
    context = {
        "tab": "learners",
        "learner": user,
        "problems": [
            _told(problem, standings.get(problem.pk), solved.get(problem.pk), runs[problem.pk][:_MOST_RUNS][::-1])
            for problem in problems
        ],
        "most": _MOST_RUNS,
    }
    return render(request, "classroom/learner.html", context)


def _told(problem: Problem, standing: Standing | None, solved_at: Any, runs: list[Submission]) -> dict[str, Any]:
    assert problem.current is not None
    stuck = []
    if standing and standing.stuck:
        checks = zip(standing.version.planned, standing.failed_in_a_row, strict=True)
        stuck = [(check, times) for check, times in checks if times >= STUCK_AFTER]
    return {
        "problem": problem,
        "package": problem.package,
        "standing": standing,
        "solved_at": solved_at,
        "stuck": stuck,
        "runs": [(run, _ticks(run)) for run in runs][::-1],
        "is_cut": standing is not None and standing.attempts > len(runs),
        "chart": timeline_chart(problem.slug, runs),
    }


def _ticks(run: Submission) -> list[str]:
    """How each check of a run ended, in the words of the style sheet."""
    return ["passed" if letter == PASSED else "failed" if letter in FAILED else "none" for letter in run.outcomes]
