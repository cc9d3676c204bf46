"""What may be handed in: UTF-8 text up to 64 kB. Everything else about it is the sandbox's to judge."""

import json

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest

from sandbox.protocol import MAX_SUBMISSION_BYTES


class BadSource(ValueError):
    """The text can't be taken. `code` is for programs, the message for the learner."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def checked(text: str) -> str:
    """`text` with plain line ends. Raises `BadSource` when it can't be stored or judged."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise BadSource("bad_request", f"{_place(text, error.start)} is not a character. Delete it.") from None
    if size > MAX_SUBMISSION_BYTES:
        raise BadSource(
            "too_large",
            f"The file has {size:,} bytes; at most {MAX_SUBMISSION_BYTES:,} (64 kB) are judged. Shorten it.",
        )
    if "\0" in text:
        place = _place(text, text.index("\0"))
        raise BadSource("bad_request", f"{place} is a null byte, which Python can't read. Delete it.")
    return text


def decoded(content: bytes) -> str:
    """The text of a file. Raises `BadSource`."""
    try:
        return checked(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadSource("bad_request", f"Line {line} is not UTF-8 text. Save the file as UTF-8.") from None


def posted(request: HttpRequest) -> str:
    """The `source` in a request's JSON, or in its form. Raises `BadSource`."""
    try:
        if request.content_type != "application/json":
            return checked(str(request.POST.get("source", "")))
        body = json.loads(request.body.decode("utf-8"))
    except RequestDataTooBig:
        raise BadSource("too_large", "The file is far larger than the 64 kB that are judged. Shorten it.") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise BadSource("bad_request", "The request is not JSON in UTF-8. Reload the page and try again.") from None
    if not isinstance(body, dict) or not isinstance(body.get("source"), str):
        raise BadSource("bad_request", 'The request must be {"source": "…"}. Reload the page and try again.')
    return checked(body["source"])


def _place(text: str, index: int) -> str:
    line = text.count("\n", 0, index) + 1
    column = index - (text.rfind("\n", 0, index) + 1) + 1
    return f"What stands in line {line}, column {column},"
