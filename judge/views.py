"""Pages that belong to no app."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


def site_context(request: HttpRequest) -> dict[str, Any]:
    """What the frame of every page needs to know."""
    return {"unprotected": settings.ACCEPT_UNPROTECTED, "viewed_by": getattr(request, "viewed_by", None)}


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    return render(request, "help.html")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answers when the web process serves; it asks nothing of the database, the broker or the sandbox."""
    return HttpResponse("ok\n", content_type="text/plain")
