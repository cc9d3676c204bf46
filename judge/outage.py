"""A database that is away, or whose disk is full: answered as what it is, on a page or as JSON, and said in the log."""

from collections.abc import Callable

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

log = structlog.stdlib.get_logger(__name__)

_MESSAGE = "The judge can't reach its database right now. Your code stays in the editor; try again in a minute."
RETRY_AFTER_SECONDS = 5


class OutageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, (OperationalError, InterfaceError)):
            return None
        log.error("the database can't be used", path=request.path, fault=str(exception).strip())
        response: HttpResponse
        if "text/html" in request.headers.get("Accept", "") and request.content_type != "application/json":
            response = HttpResponse(render_to_string("503.html"), status=503)
        else:
            response = JsonResponse({"error": {"code": "unavailable", "message": _MESSAGE}}, status=503)
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
        return response
