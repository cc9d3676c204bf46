from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from judge.catalog.markdown import highlight_python
from judge.catalog.markdown import render as render_markdown
from judge.catalog.models import Problem, Progress


@require_safe
def catalogue(request: HttpRequest) -> HttpResponse:
    solved_at = {}
    if request.user.is_authenticated:
        solved_at = dict(Progress.objects.filter(user=request.user).values_list("problem", "solved_at"))
    rows = [
        {
            "problem": problem,
            "package": problem.package,
            "state": "new" if problem.pk not in solved_at else "solved" if solved_at[problem.pk] else "tried",
        }
        for problem in Problem.objects.all().in_order()
    ]
    return render(request, "catalog/catalogue.html", {"rows": rows})


@require_safe
def problem_page(request: HttpRequest, slug: str) -> HttpResponse:
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    return render(
        request,
        "catalog/problem.html",
        {
            "problem": problem,
            "package": problem.package,
            "tab": "statement",
            "unlocked": unlocked(request, problem),
            "statement": render_markdown(problem.package.statement),
            "experiment": highlight_python(problem.package.experiment) if problem.package.experiment else "",
        },
    )


@require_safe
def notes_page(request: HttpRequest, slug: str) -> HttpResponse:
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    package = problem.package
    context = {"problem": problem, "package": package, "tab": "notes", "unlocked": unlocked(request, problem)}
    if not context["unlocked"]:
        return render(request, "catalog/notes_locked.html", context, status=403)
    notes = [(note, render_markdown(package.files[note.file])) for note in package.notes]
    context |= {"notes": notes, "minutes": sum(document.minutes for _, document in notes)}
    return render(request, "catalog/notes.html", context)


@require_safe
def labs_page(request: HttpRequest, slug: str) -> HttpResponse:
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    if not problem.package.labs:
        raise Http404
    context = {"problem": problem, "package": problem.package, "tab": "labs", "unlocked": unlocked(request, problem)}
    return render(request, "catalog/labs.html", context)


@require_safe
def lab_page(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    problem = get_object_or_404(Problem.objects.all().published(), slug=slug)
    package = problem.package
    place = next((place for place, lab in enumerate(package.labs) if lab.name == name), None)
    if place is None:
        raise Http404
    lab = package.labs[place]
    context = {
        "problem": problem,
        "package": package,
        "tab": "labs",
        "unlocked": unlocked(request, problem),
        "lab": lab,
        "before": package.labs[place - 1] if place > 0 else None,
        "after": package.labs[place + 1] if place + 1 < len(package.labs) else None,
        "document": render_markdown(package.files[lab.file]),
    }
    return render(request, "catalog/lab.html", context)


def unlocked(request: HttpRequest, problem: Problem) -> bool:
    """Whether the notes are open: to who has solved the problem, and to who teaches."""
    return request.user.is_authenticated and (request.user.teaches or Progress.has_solved(request.user, problem))
