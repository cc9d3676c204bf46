"""Tables as CSV files, for a spreadsheet."""

import csv
import io
import itertools
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_AT_ONCE = 500
"""Rows in a piece: a download begins before the last row is read, and no file is held in memory."""


class _InPieces(StreamingHttpResponse):
    """Reads each piece in the thread of its request when the one before has left; Django would read all, then send."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self)
        next_piece = sync_to_async(lambda: next(pieces, None))
        while (piece := await next_piece()) is not None:
            yield piece


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """A download of UTF-8 text, with the mark at its beginning by which spreadsheets know it, sent while it is read.

    A text that a spreadsheet would take for a formula gets an apostrophe before it: names are chosen by learners.
    """
    response = _InPieces(_pieces(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _pieces(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield "\ufeff" + _text([columns])
    left = iter(rows)
    while piece := list(itertools.islice(left, _AT_ONCE)):
        yield _text(piece)


def _text(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_STARTS_FORMULA):
        return f"'{value}"
    return "" if value is None else value
