"""A problem as who teaches sees it: its versions, what differs between them, and whether learners see it."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judge.catalog.archive import write_archive
from judge.catalog.models import PackageVersion, Problem
from judge.classroom.changed_files import differences
from judge.classroom.forms import NewProblemForm
from judge.classroom.models import CanNotPublish, PackageDraft
from judge.classroom.roles import TeacherRequest, instructors_only

DRAFT = "draft"
"""In place of a version: what is being written."""


@instructors_only
@require_http_methods(["GET", "HEAD", "POST"])
def new_problem(request: TeacherRequest) -> HttpResponse:
    """Starts a package from the template, from another problem, or from a zip file."""
    form = NewProblemForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        draft = PackageDraft.start(form.cleaned_data["slug"], form.files_of_package, request.user)
        return redirect("draft-editor", draft.slug)
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "classroom/new_problem.html", {"tab": "problems", "form": form}, status=status)


@instructors_only
@require_safe
def problem(request: TeacherRequest, slug: str) -> HttpResponse:
    found = Problem.objects.select_related("current").defer("current__files").filter(slug=slug).first()
    draft = PackageDraft.objects.filter(slug=slug).select_related("saved_by", "based_on").first()
    if found is None and draft is None:
        raise Http404
    context = {
        "tab": "problems",
        "slug": slug,
        "problem": found,
        "draft": draft,
        "run": draft.runs.defer("files", "result").first() if draft else None,
        "verified": draft is not None and draft.verified_by() is not None,
        "versions": found.versions.defer("files").order_by("-created_at") if found else [],
        "outdated": _outdated(found),
    }
    return render(request, "classroom/problem.html", context)


@instructors_only
@require_POST
def edit_version(request: TeacherRequest, slug: str) -> HttpResponse:
    """Starts a draft from a version. One that there is already is kept, unless `replace` is sent."""
    version = _version(slug, request.POST.get("version", ""))
    if "replace" in request.POST or not PackageDraft.objects.filter(slug=slug).exists():
        PackageDraft.start(slug, version.files, request.user, based_on=version)
    return redirect("draft-editor", slug)


@instructors_only
@require_POST
def publish(request: TeacherRequest, slug: str) -> HttpResponse:
    draft = get_object_or_404(PackageDraft, slug=slug)
    try:
        draft.publish(request.user)
    except CanNotPublish as reason:
        context = {"tab": "problems", "draft": draft, "message": str(reason)}
        return render(request, "classroom/not_published.html", context, status=409)
    return redirect("teach-problem", slug)


@instructors_only
@require_POST
def unpublish(request: TeacherRequest, slug: str) -> HttpResponse:
    get_object_or_404(Problem, slug=slug).withdraw(request.user)
    return redirect("teach-problem", slug)


@instructors_only
@require_safe
def download(request: TeacherRequest, slug: str, version: str = DRAFT) -> HttpResponse:
    """A version, or the draft, as a zip file."""
    content = write_archive(slug, _files(slug, version))
    answer = HttpResponse(content, content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, f"{slug}-{version}.zip") or ""
    return answer


@instructors_only
@require_safe
def compare(request: TeacherRequest, slug: str) -> HttpResponse:
    """What differs between the versions `before` and `after` of the address."""
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    context: dict[str, Any] = {"tab": "problems", "slug": slug, "before": before, "after": after}
    context["differences"] = list(differences(_files(slug, before), _files(slug, after)))
    return render(request, "classroom/compare.html", context)


def _files(slug: str, version: str) -> dict[str, str]:
    if version == DRAFT:
        return get_object_or_404(PackageDraft, slug=slug).texts()
    files: dict[str, str] = _version(slug, version).files
    return files


def _version(slug: str, version: str) -> PackageVersion:
    return get_object_or_404(PackageVersion, problem__slug=slug, version=version)


def _outdated(found: Problem | None) -> int:
    """How many learners' runs an older version of the published problem has judged."""
    if found is None or found.current is None:
        return 0
    return found.submissions.exclude(version=found.current).count()
