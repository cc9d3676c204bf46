"""JSON that comes from our pages, and what they are answered."""

import json
from typing import Any, TypeVar

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse

T = TypeVar("T", str, int)


class BadRequest(Exception):
    """The request makes no sense. The message is for who made it."""


def posted(request: HttpRequest) -> dict[str, Any]:
    """The object in the request. Raises `BadRequest`."""
    try:
        body = json.loads(request.body.decode("utf-8"))
    except RequestDataTooBig:
        raise BadRequest("This is too large. Shorten the file.") from None
    except (ValueError, RecursionError):
        raise BadRequest("The request is not JSON in UTF-8. Reload the page.") from None
    if not isinstance(body, dict):
        raise BadRequest("The request is no object. Reload the page.")
    return body


def field(body: dict[str, Any], name: str, kind: type[T]) -> T:
    """One field of a request. Raises `BadRequest`."""
    value = body.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRequest(f"The request lacks {name}. Reload the page.")
    return value


def refused(code: str, message: str, status: int = 400, detail: str = "") -> JsonResponse:
    return JsonResponse({"error": {"code": code, "message": message, "detail": detail}}, status=status)
