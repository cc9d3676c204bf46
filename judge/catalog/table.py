"""Reading a TOML table field by field, collecting complaints instead of raising at the first."""

import dataclasses
import tomllib
from collections.abc import Sequence
from typing import Any


@dataclasses.dataclass(frozen=True)
class Complaint:
    """One thing that is wrong with a package, and what to do about it."""

    file: str
    reason: str
    remedy: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}; {self.remedy}"


class Table:
    """One table of a TOML file. A field that is missing or of the wrong type is complained of and read as empty."""

    def __init__(self, file: str, values: dict[str, Any], complaints: list[Complaint], name: str = "") -> None:
        self._file = file
        self._values = values
        self._complaints = complaints
        self._name = name
        self._read: set[str] = set()

    @classmethod
    def read(cls, file: str, text: str, complaints: list[Complaint]) -> "Table":
        try:
            return cls(file, tomllib.loads(text), complaints)
        except tomllib.TOMLDecodeError as error:
            complaints.append(Complaint(file, f"it is not valid TOML: {error}", "mend that line"))
            return cls(file, {}, [])

    def complain(self, reason: str, remedy: str) -> None:
        self._complaints.append(Complaint(self._file, reason, remedy))

    def names(self) -> list[str]:
        return list(self._values)

    def text(self, name: str, default: str | None = None) -> str:
        value = self._get(name, str, "a text in quotes", default, "")
        if not value.strip() and default is None and name in self._values:
            self.complain(f"{self._path(name)} is empty", "write a text")
        return str(value)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        value = self.text(name)
        if value and value not in choices:
            self.complain(f"{self._path(name)} is {value!r}", f"write one of {', '.join(choices)}")
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        return int(self._get(name, int, "a whole number", default, 0))

    def number(self, name: str, default: float) -> float:
        value = self._get(name, (int, float), "a number", default, default)
        return value if isinstance(value, int) else float(value)

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._get(name, list, "a list of texts", None, [])
        if not all(isinstance(item, str) for item in value):
            self.complain(f"{self._path(name)} holds something else than texts", "put each item in quotes")
            return ()
        return tuple(value)

    def table(self, name: str, *, required: bool = True) -> "Table":
        value = self._get(name, dict, f"a table [{name}]", None if required else {}, {})
        return Table(self._file, value, self._complaints, name)

    def tables(self, name: str) -> list["Table"]:
        """The tables of an array `[[name]]`; none when it is left out."""
        value = self._get(name, list, f"an array of tables [[{name}]]", [], [])
        if not all(isinstance(item, dict) for item in value):
            self.complain(f"{name} is not an array of tables", f"start each entry with [[{name}]]")
            return []
        return [Table(self._file, item, self._complaints, f"{name}[{index}]") for index, item in enumerate(value)]

    def refuse_the_rest(self) -> None:
        """Complains of every field that was not read: most often it is misspelled."""
        for name in self._values:
            if name not in self._read:
                known = ", ".join(sorted(self._read))
                self.complain(f"{self._path(name)} is not a known field", f"remove it or correct it; known are {known}")

    def _get(self, name: str, kind: type | tuple[type, ...], what: str, default: Any, empty: Any) -> Any:
        self._read.add(name)
        if name not in self._values:
            if default is None:
                self.complain(f"{self._path(name)} is missing", f"write {what}")
                return empty
            return default
        value = self._values[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            self.complain(f"{self._path(name)} is {value!r}", f"write {what}")
            return empty
        return value

    def _path(self, name: str) -> str:
        return f"{self._name}.{name}" if self._name else name
