"""A database that is away, or whose disk is full: answered as what it is, on a page or as JSON, and said in the log."""

import sys

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.views import defaults

log = structlog.stdlib.get_logger(__name__)

_MESSAGE = "The judge can't reach its database right now. Your code stays in the editor; try again in a minute."
RETRY_AFTER_SECONDS = 5
_AWAY = (OperationalError, InterfaceError)


class OutageMiddleware(MiddlewareMixin):
    """A mixin of Django's: it takes requests in either mode, so that none changes its thread for it."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _unavailable(request, exception) if isinstance(exception, _AWAY) else None


def server_error(request: HttpRequest) -> HttpResponse:
    """Answers faults outside of views, where middleware looks up who is signed in, and all others as Django does."""
    exception = sys.exc_info()[1]
    return _unavailable(request, exception) if isinstance(exception, _AWAY) else defaults.server_error(request)


def _unavailable(request: HttpRequest, exception: Exception) -> HttpResponse:
    log.error("the database can't be used", path=request.path, fault=str(exception).strip())
    response: HttpResponse
    if "text/html" in request.headers.get("Accept", "") and request.content_type != "application/json":
        response = HttpResponse(render_to_string("503.html"), status=503)
    else:
        response = JsonResponse({"error": {"code": "unavailable", "message": _MESSAGE}}, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response
