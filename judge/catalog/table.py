"""Reading a TOML table field by field, collecting complaints instead of raising at the first."""

import dataclasses
import enum
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.-]+)\s*\]")
_FIELD = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")
_AROUND_NAMES = re.compile(r"[=,{}\[\]]")
_MAX_PARTS = 100
_MOST = 10**9
_ERROR_LINE = re.compile(r"at line (\d+)")


class Severity(enum.StrEnum):
    """An error keeps a package from being published; a warning is for its author to judge."""

    ERROR = "error"
    WARNING = "warning"


@dataclasses.dataclass(frozen=True)
class Complaint:
    """One thing that is wrong with a package, and what to do about it."""

    file: str
    reason: str
    remedy: str
    line: int | None = None
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}; {self.remedy}"


class Table:
    """One table of a TOML file. A field that is missing or of the wrong type is complained of and read as empty."""

    def __init__(
        self,
        file: str,
        values: dict[str, Any],
        complaints: list[Complaint],
        name: str = "",
        lines: Mapping[str, int] | None = None,
    ) -> None:
        self._file = file
        self._values = values
        self._complaints = complaints
        self._name = name
        self._lines = lines or {}
        self._read: set[str] = set()

    @classmethod
    def read(cls, file: str, text: str, complaints: list[Complaint], *, before: int = 0) -> "Table":
        """The TOML `text`, which begins after so many lines of `file`."""
        if (line := _line_of_long_name(text)) is not None:
            complaints.append(Complaint(file, "a name has too many parts", "write fewer dots", before + line))
            return cls(file, {}, [])
        try:
            return cls(file, tomllib.loads(text), complaints, lines=_lines_of(text, before))
        except RecursionError:
            complaints.append(Complaint(file, "it is nested too deep to be read", "write fewer brackets"))
            return cls(file, {}, [])
        except ValueError as error:  # TOMLDecodeError is one; a number of thousands of digits is another
            found = _ERROR_LINE.search(str(error))
            line = before + int(found[1]) if found else None
            complaints.append(Complaint(file, f"it is not valid TOML: {error}", "mend that line", line))
            return cls(file, {}, [])

    def complain(self, reason: str, remedy: str, field: str = "") -> None:
        """Complains of a field, at its line; of the table itself without one, or where the field is missing."""
        line = self._lines.get(self._path(field) if field else self._name, self._lines.get(self._name))
        self._complaints.append(Complaint(self._file, reason, remedy, line))

    def names(self) -> list[str]:
        return list(self._values)

    def text(self, name: str, default: str | None = None) -> str:
        value = self._get(name, str, "a text in quotes", default, "")
        if default is None and isinstance(self._values.get(name), str) and not value.strip():
            self.complain(f"{self._path(name)} is empty", "write a text", name)
        return str(value)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        value = self.text(name)
        if value and value not in choices:
            self.complain(f"{self._path(name)} is {value!r}", f"write one of {', '.join(choices)}", name)
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        value = int(self._get(name, int, "a whole number", default, 0))
        if abs(value) > _MOST:
            self.complain(f"{self._path(name)} is out of all bounds", "write a smaller number", name)
            return 0
        return value

    def number(self, name: str, default: float) -> float:
        value = self._get(name, (int, float), "a number", default, default)
        return value if isinstance(value, int) else float(value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._get(name, list, "a list of texts", None, [])
        if not all(isinstance(item, str) for item in value):
            self.complain(f"{self._path(name)} holds something else than texts", "put each item in quotes", name)
            return ()
        if self._values.get(name) == []:
            self.complain(f"{self._path(name)} is empty", "write at least one text", name)
        return tuple(value)

    def texts_or_text(self, name: str) -> tuple[str, ...]:
        """A list of texts, or a single one."""
        return (self.text(name),) if isinstance(self._values.get(name), str) else self.texts(name)

    @property
    def line(self) -> int | None:
        """Where the table begins."""
        return self._lines.get(self._name)

    def table(self, name: str, *, required: bool = True) -> "Table":
        value = self._get(name, dict, f"a table [{name}]", None if required else {}, {})
        return Table(self._file, value, self._complaints, name, self._lines)

    def tables(self, name: str) -> list["Table"]:
        """The tables of an array `[[name]]`; none when it is left out."""
        value = self._get(name, list, f"an array of tables [[{name}]]", [], [])
        if not all(isinstance(item, dict) for item in value):
            self.complain(f"{name} is not an array of tables", f"start each entry with [[{name}]]", name)
            return []
        return [
            Table(self._file, item, self._complaints, f"{name}[{index}]", self._lines)
            for index, item in enumerate(value)
        ]

    def refuse_the_rest(self) -> None:
        """Complains of every field that was not read: most often it is misspelled."""
        for name in self._values:
            if name not in self._read:
                known = ", ".join(sorted(self._read))
                remedy = f"remove it or correct it; known are {known}"
                self.complain(f"{self._path(name)} is not a known field", remedy, name)

    def _get(self, name: str, kind: type | tuple[type, ...], what: str, default: Any, empty: Any) -> Any:
        self._read.add(name)
        if name not in self._values:
            if default is None:
                self.complain(f"{self._path(name)} is missing", f"write {what}")
                return empty
            return default
        value = self._values[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.complain(f"{self._path(name)} is {_shown(value)}", f"write {what}", name)
            return empty
        return value

    def _path(self, name: str) -> str:
        return f"{self._name}.{name}" if self._name else name


def _shown(value: Any) -> str:
    try:
        shown = repr(value)
    except (ValueError, RecursionError):
        return "something very large"  # such as a number of thousands of digits
    return shown if len(shown) <= 100 else shown[:97] + "..."


def _line_of_long_name(text: str) -> int | None:
    """The first line with a name such as `a.b.c` of very many parts, for which a reader of TOML takes minutes."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MAX_PARTS:
            unquoted = line.replace('"', "").replace("'", "")
            if any(part.count(".") > _MAX_PARTS for part in _AROUND_NAMES.split(unquoted)):
                return number
    return None


def _lines_of(text: str, before: int) -> dict[str, int]:
    """The line of every table and field, by the path that complaints call it: `paper.year`, `sections[1].id`."""
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix = ""
    for number, line in enumerate(text.splitlines(), start=before + 1):
        if header := _HEADER.match(line):
            name = header[2]
            if header[1] == "[[":
                index = counts[name] = counts.get(name, -1) + 1
                name = f"{name}[{index}]"
            prefix = f"{name}."
            lines.setdefault(name, number)
        elif field := _FIELD.match(line):
            lines.setdefault(prefix + field[1], number)
    return lines
