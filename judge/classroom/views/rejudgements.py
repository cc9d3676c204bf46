"""Judging runs again: what would change, then changing it, then taking that back."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judge.accounts.audit import record
from judge.accounts.models import Action
from judge.catalog.models import Problem
from judge.classroom.exports import csv_file
from judge.classroom.progress import RejudgementProgress
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.search import Search, SearchForm
from judge.submissions.models import CanNotApply, Rejudgement, State, Submission

MOST_RUNS = 5000
"""More are not judged again at once: the queue of a small machine would be full for an hour."""
_SHOWN = 200


@instructors_only
@require_safe
def rejudgements(request: TeacherRequest) -> HttpResponse:
    newest = Rejudgement.objects.select_related("problem__current", "version", "created_by").order_by("-created_at")
    newest = newest.defer("version__files", "version__planned", "problem__current__files", "problem__current__planned")
    context = {"tab": "rejudgements", "rejudgements": newest[:100], "problems": Problem.objects.all().in_order()}
    return render(request, "classroom/rejudgements.html", context)


@instructors_only
@require_http_methods(["GET", "HEAD", "POST"])
def rejudge_found(request: TeacherRequest) -> HttpResponse:
    """Asks whether the runs that a search finds are to be judged again; a POST begins it."""
    form = SearchForm(request.GET)
    if not form.is_valid() or form.cleaned_data["problem"] is None or form.cleaned_data["problem"].current_id is None:
        return render(request, "classroom/rejudge_refused.html", {"tab": "rejudgements"}, status=400)
    search = Search(form.cleaned_data)
    assert search.problem is not None
    found = search.found().filter(state=State.FINISHED)
    count = found.order_by().values("pk")[: MOST_RUNS + 1].count()
    if request.method == "POST" and 0 < count <= MOST_RUNS:
        return _begin(request, search.problem, found, search.words)
    context = {"tab": "rejudgements", "search": search, "count": count, "most": MOST_RUNS}
    return render(request, "classroom/rejudge_found.html", context)


@instructors_only
@require_POST
def rejudge_one(request: TeacherRequest, submission_id: UUID) -> HttpResponse:
    run = get_object_or_404(Submission.objects.with_problem(), pk=submission_id, problem__current__isnull=False)
    chosen = f"run {run.number} of {run.user.username}"
    return _begin(request, run.problem, Submission.objects.filter(pk=run.pk), chosen)


@instructors_only
@require_POST
def rejudge_problem(request: TeacherRequest, slug: str) -> HttpResponse:
    """Of each learner the accepted runs and the last one, as far as another version judged them."""
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    with transaction.atomic():
        rejudgement = Rejudgement.open(problem, request.user)
        record(request.user, Action.REJUDGED, rejudgement, f"{problem}, whole problem", runs=rejudgement.items.count())
    return redirect("rejudgement", rejudgement.pk)


def _begin(request: TeacherRequest, problem: Problem, found: "QuerySet[Submission]", chosen: str) -> HttpResponse:
    with transaction.atomic():
        rejudgement = Rejudgement.choose(problem, found, request.user, chosen)
        record(request.user, Action.REJUDGED, rejudgement, f"{problem}, {chosen}", runs=rejudgement.items.count())
    return redirect("rejudgement", rejudgement.pk)


@instructors_only
@require_safe
def rejudgement(request: TeacherRequest, rejudgement_id: UUID) -> HttpResponse:
    """How far it is, what would change, and what can be done with it."""
    this = _get(rejudgement_id)
    changed = this.changed.defer("before", "after", "submission__source")
    context = {
        "tab": "rejudgements",
        "rejudgement": this,
        "progress": RejudgementProgress.of(this),
        "changes": changed[:_SHOWN],
        "shown": _SHOWN,
    }
    return render(request, "classroom/rejudgement.html", context)


@instructors_only
@require_safe
def rejudgement_progress(request: TeacherRequest, rejudgement_id: UUID) -> HttpResponse:
    return JsonResponse(RejudgementProgress.of(_get(rejudgement_id)).as_json())


@instructors_only
@require_safe
def rejudgement_csv(request: TeacherRequest, rejudgement_id: UUID) -> HttpResponseBase:
    this = _get(rejudgement_id)
    columns = ["submission", "learner", "run", "before", "after"]
    names = ("submission_id", "submission__user__username", "submission__number", "old_verdict", "verdict")
    return csv_file(f"rejudgement-{this.problem}", columns, this.changed.values_list(*names).iterator())


@instructors_only
@require_POST
def change_rejudgement(request: TeacherRequest, rejudgement_id: UUID, action: str) -> HttpResponse:
    """Applies it, undoes it, or gives it up; `action` is one of these words."""
    this = _get(rejudgement_id)
    known = {"apply": (this.begin_applying, Action.APPLIED), "undo": (this.begin_undoing, Action.UNDONE)}
    if action not in (*known, "give-up"):
        raise Http404
    subject = f"{this.problem}, {this.chosen or 'whole problem'}"
    try:
        with transaction.atomic():
            if action == "give-up":
                this.give_up()
                return redirect("rejudgements")
            begin, recorded = known[action]
            begin()
            record(request.user, recorded, this, subject)
    except CanNotApply as reason:
        messages.error(request, str(reason))
    return redirect(reverse("rejudgement", args=[rejudgement_id]))


def _get(rejudgement_id: UUID) -> Rejudgement:
    found = Rejudgement.objects.select_related("problem__current", "version", "created_by")
    return get_object_or_404(found.defer("version__files", "problem__current__files"), pk=rejudgement_id)
