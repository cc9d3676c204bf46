"""Verifications of drafts: asking for one, following it, ending it, and what it found."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from judge.classroom.findings import Findings
from judge.classroom.models import PackageDraft, RunState, VerificationRun
from judge.classroom.roles import TeacherRequest, instructors_only
from judge.classroom.tasks import ring_on_commit


@instructors_only
@require_POST
def verify(request: TeacherRequest, slug: str) -> HttpResponse:
    """Has the draft verified as it is saved."""
    draft = get_object_or_404(PackageDraft, slug=slug)
    with transaction.atomic():
        run = VerificationRun.ask(draft, request.user)
        ring_on_commit(run)
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse(run_state(run), status=201)
    return redirect("verification", run.pk)


@instructors_only
@require_safe
def verification(request: TeacherRequest, run_id: UUID) -> HttpResponse:
    """How far it is, or what it found."""
    run = get_object_or_404(VerificationRun.objects.select_related("draft", "created_by").defer("files"), pk=run_id)
    context = {
        "tab": "problems",
        "run": run,
        "draft": run.draft,
        "state": run_state(run),
        "findings": Findings(run.result) if run.result else None,
    }
    return render(request, "classroom/verification.html", context)


@instructors_only
@require_safe
def verification_state(request: TeacherRequest, run_id: UUID) -> HttpResponse:
    run = get_object_or_404(VerificationRun.objects.select_related("draft").defer("files"), pk=run_id)
    return JsonResponse(run_state(run))


@instructors_only
@require_POST
def cancel(request: TeacherRequest, run_id: UUID) -> HttpResponse:
    run = get_object_or_404(VerificationRun.objects.select_related("draft").defer("files"), pk=run_id)
    run.cancel()
    if "application/json" in request.headers.get("Accept", ""):
        run.refresh_from_db(fields=["state", "finished_at"])
        return JsonResponse(run_state(run))
    return redirect("verification", run.pk)


def run_state(run: VerificationRun) -> dict[str, Any]:
    """What a page shows of a verification while it goes on, and in short when it is over."""
    result = run.result or {}
    return {
        "id": str(run.pk),
        "state": run.state,
        "place": run.place_in_line if run.state == RunState.QUEUED else None,
        "stage": run.stage,
        "done": run.done,
        "total": run.total,
        "version": run.version,
        "verified": run.verified,
        "fault": run.fault,
        "complaints": result.get("complaints", []),
        "seconds": result.get("seconds"),
        "url": reverse("verification", args=[run.pk]),
        "state_url": reverse("verification-state", args=[run.pk]),
        "cancel_url": reverse("verification-cancel", args=[run.pk]),
    }
