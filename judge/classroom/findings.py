"""What a verification found, arranged as a page shows it."""

import dataclasses
from collections.abc import Iterator
from typing import Any


@dataclasses.dataclass(frozen=True)
class Cell:
    """What one check makes of one mistake."""

    look: str
    """`noticed` as it must, `missed` although it must, `beyond` what is asked, or empty."""
    words: str


@dataclasses.dataclass(frozen=True)
class Row:
    """One known mistake."""

    file: str
    title: str
    cells: tuple[Cell, ...]
    is_missed: bool


_NOTHING = Cell("", "")


class Findings:
    """The stored result of a verification; fields that it lacks are empty."""

    def __init__(self, result: dict[str, Any]) -> None:
        self._result = result

    def __getattr__(self, name: str) -> Any:
        return self._result.get(name)

    @property
    def errors(self) -> list[dict[str, Any]]:
        return [complaint for complaint in self._result["complaints"] if complaint["severity"] == "error"]

    @property
    def warnings(self) -> list[dict[str, Any]]:
        return [complaint for complaint in self._result["complaints"] if complaint["severity"] != "error"]

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The checks, each with how many mistakes fail it."""
        return list(self._result.get("coverage") or ())

    @property
    def rows(self) -> Iterator[Row]:
        """The matrix: a row for each known mistake, with a cell for each of `columns`."""
        checks = [column["id"] for column in self.columns]
        for mistake in self._result.get("mistakes") or ():
            names, failed = set(mistake["names"]), set(mistake["failed"])
            yield Row(
                mistake["file"],
                mistake["title"],
                tuple(_cell(check, check in names, check in failed) for check in checks),
                bool(mistake["missed"]) or mistake["verdict"] == "accepted",
            )

    @property
    def sections(self) -> list[tuple[str, int]]:
        """The sections of the checks in their order, each with how many columns it has."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and found[-1][0] == column["section"]:
                found[-1] = (column["section"], found[-1][1] + 1)
            else:
                found.append((column["section"], 1))
        return found

    @property
    def refused_probes(self) -> int:
        return sum(probe["verdict"] not in ("accepted", "judge_error") for probe in self._result.get("probes") or ())


def _cell(check: str, named: bool, failed: bool) -> Cell:
    if failed:
        return Cell("noticed", f"{check} notices it") if named else Cell("beyond", f"{check} notices it too")
    return Cell("missed", f"{check} must notice it, and does not") if named else _NOTHING
