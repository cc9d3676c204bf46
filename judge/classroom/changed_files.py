"""The difference of two packages, file by file."""

import dataclasses
import difflib
from collections.abc import Iterator, Mapping

CONTEXT = 3
_KINDS = {"+": "added", "-": "removed", "@": "place"}


@dataclasses.dataclass(frozen=True)
class Line:
    kind: str
    """`added`, `removed`, `place` for the lines between two parts that are shown, or empty for what is in both."""
    text: str


@dataclasses.dataclass(frozen=True)
class FileDifference:
    path: str
    change: str
    """`added`, `removed` or `changed`."""
    lines: tuple[Line, ...]

    @property
    def added(self) -> int:
        return sum(line.kind == "added" for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line.kind == "removed" for line in self.lines)


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[FileDifference]:
    """Every file that is not the same in both, by name."""
    for path in sorted({*before, *after}):
        if before.get(path) != after.get(path):
            change = "added" if path not in before else "removed" if path not in after else "changed"
            yield FileDifference(path, change, tuple(_lines(before.get(path, ""), after.get(path, ""))))


def _lines(before: str, after: str) -> Iterator[Line]:
    """A unified difference without its head. That a last line has no end is a difference too."""
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    for number, line in enumerate(difflib.unified_diff(old, new, n=CONTEXT)):
        if number >= 2:
            ends = "" if line.endswith("\n") or line.startswith("@") else " (no end of line)"
            yield Line(_KINDS.get(line[0], ""), (line if line.startswith("@") else line[1:]).rstrip("\r\n") + ends)
