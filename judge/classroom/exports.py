"""Tables as CSV files, for a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

_STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_file(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """A download of UTF-8 text, with the mark at its beginning by which spreadsheets know it.

    A text that a spreadsheet would take for a formula gets an apostrophe before it: names are chosen by learners.
    """
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    response = HttpResponse("\ufeff" + text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_STARTS_FORMULA):
        return f"'{value}"
    return "" if value is None else value
