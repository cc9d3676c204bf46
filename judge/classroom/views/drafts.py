"""The editor of a package, and what it asks the server while somebody writes."""

import dataclasses
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judge.catalog.markdown import render as render_markdown
from judge.catalog.models import Problem
from judge.catalog.package import version_of
from judge.classroom.models import BadFile, Conflict, DraftFile, PackageDraft
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.views.answers import BadRequest, field, posted, refused
from judge.classroom.views.verifications import run_state


@instructors_only
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: TeacherRequest, slug: str) -> HttpResponse:
    """The editor, at the file that the address names. A POST is its form without scripts: one file to be saved."""
    draft = get_object_or_404(PackageDraft, slug=slug)
    fault = ""
    if request.method == "POST":
        path = request.POST.get("path", "")
        text = request.POST.get("text", "").replace("\r\n", "\n")
        try:
            draft.save_file(path, text, _number(request.POST.get("revision", "")), request.user)
            return redirect(f"{reverse('draft-editor', args=[slug])}?file={path}")
        except (Conflict, BadFile) as reason:
            fault = str(reason)
    files = list(draft.files.all())
    wanted = request.POST.get("path") or request.GET.get("file", "")
    opened = next((file for file in files if file.path == wanted), None) or _first(files)
    context = {
        "tab": "problems",
        "draft": draft,
        "files": files,
        "opened": opened,
        "fault": fault,
        "data": _data(draft, files, opened),
    }
    return render(request, "classroom/editor.html", context, status=409 if fault else 200)


@instructors_only
@require_http_methods(["GET", "PUT", "POST", "DELETE"])
def draft_file(request: TeacherRequest, slug: str) -> HttpResponse:
    """One file as JSON: read it (GET), save it (PUT), rename it (POST), remove it (DELETE)."""
    draft = get_object_or_404(PackageDraft, slug=slug)
    if request.method == "GET":
        return JsonResponse(_file(get_object_or_404(draft.files, path=request.GET.get("path", ""))))
    try:
        body = posted(request)
        path, revision = field(body, "path", str), field(body, "revision", int)
        if request.method == "DELETE":
            draft.remove_file(path, revision, request.user)
            return JsonResponse({"path": path, "text": "", "revision": 0})
        if request.method == "POST":
            return JsonResponse(_file(draft.rename_file(path, field(body, "to", str), revision, request.user)))
        return JsonResponse(_file(draft.save_file(path, field(body, "text", str), revision, request.user)))
    except BadRequest as reason:
        return refused("bad_request", str(reason))
    except BadFile as reason:
        return refused("bad_file", str(reason))
    except Conflict as conflict:
        return refused("conflict" if conflict.file else "gone", str(conflict), 409)


@instructors_only
@require_safe
def complaints(request: TeacherRequest, slug: str) -> HttpResponse:
    """What is wrong with the draft as it is saved, and whether that is verified."""
    return JsonResponse(_complaints(get_object_or_404(PackageDraft, slug=slug)))


@instructors_only
@require_POST
def preview(request: TeacherRequest, slug: str) -> HttpResponse:
    """Markdown as learners would see it."""
    get_object_or_404(PackageDraft, slug=slug)
    try:
        return JsonResponse({"html": render_markdown(field(posted(request), "text", str)).html})
    except BadRequest as reason:
        return refused("bad_request", str(reason))


@instructors_only
@require_POST
def discard(request: TeacherRequest, slug: str) -> HttpResponse:
    get_object_or_404(PackageDraft, slug=slug).delete()
    if Problem.objects.filter(slug=slug).exists():
        return redirect("teach-problem", slug)
    return redirect("workspace")


def _data(draft: PackageDraft, files: list[DraftFile], opened: DraftFile | None) -> dict[str, Any]:
    """What the editor starts with."""
    run = draft.runs.first()
    names = {
        "file": "draft-file",
        "complaints": "draft-complaints",
        "preview": "draft-preview",
        "verify": "draft-verify",
        "publish": "publish",
        "zip": "draft-zip",
        "overview": "teach-problem",
        "edit": "draft-editor",
    }
    return {
        "slug": draft.slug,
        "files": [{"path": file.path, "revision": file.revision} for file in files],
        "opened": _file(opened) if opened else None,
        "urls": {name: reverse(view, args=[draft.slug]) for name, view in names.items()},
        "run": run_state(run) if run else None,
    }


def _complaints(draft: PackageDraft) -> dict[str, Any]:
    run = draft.verified_by()
    return {
        "version": version_of(draft.texts()),
        "verified": run is not None,
        "published": bool(run and Problem.objects.filter(slug=draft.slug, current__version=run.version).exists()),
        "complaints": [dataclasses.asdict(complaint) for complaint in draft.complaints()],
    }


def _file(file: DraftFile) -> dict[str, Any]:
    return {"path": file.path, "text": file.text, "revision": file.revision}


def _first(files: list[DraftFile]) -> DraftFile | None:
    """What one opens first: the description."""
    return next((file for file in files if file.path == "problem.toml"), files[0] if files else None)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else -1
