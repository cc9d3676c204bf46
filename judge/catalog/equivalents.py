"""Mutants that are no mistakes: `mutants.toml` of a package, where an author says why no check can notice them.

    [[equivalent]]
    function = "enqueue"
    line = "places = torch.arange(count, device=queue.device)"
    becomes = "places = torch.arange(count)"
    reason = "The sandbox has one device."

`line` and `becomes` are the two sides of the diff that a verification shows. `becomes` may be a list, where one reason
holds for several mutants of a line.
"""

import dataclasses
import json
from collections.abc import Sequence

from judge.catalog.mutants import Mutant
from judge.catalog.table import Complaint, Table

FILE = "mutants.toml"


@dataclasses.dataclass(frozen=True)
class Equivalent:
    """One entry of the file."""

    function: str
    line: str
    becomes: tuple[str, ...]
    reason: str
    number: int | None
    """Where the entry begins in the file."""

    def describes(self, mutant: Mutant) -> bool:
        return (
            self.function == mutant.function
            and _plain(self.line) == _plain(mutant.line)
            and _plain(mutant.becomes) in map(_plain, self.becomes)
        )


def read_equivalents(text: str, complaints: list[Complaint]) -> tuple[Equivalent, ...]:
    """The entries of the file; what is wrong with it is added to the complaints."""
    table = Table.read(FILE, text, complaints)
    entries = tuple(_entry(part) for part in table.tables("equivalent"))
    table.refuse_the_rest()
    return entries


def idle_entries(entries: Sequence[Equivalent], mutants: Sequence[Mutant]) -> list[Complaint]:
    """Complaints of entries that describe no mutant: the reference has changed, or a line is not copied exactly."""
    complaints = []
    for entry in entries:
        for becomes in entry.becomes:
            single = dataclasses.replace(entry, becomes=(becomes,))
            if not any(single.describes(mutant) for mutant in mutants):
                where = f" of {entry.function}" if entry.function else ""
                complaints.append(
                    Complaint(
                        FILE,
                        f"no mutant{where} makes {entry.line!r} into {becomes!r}",
                        "copy both lines from the diff that verify_problem shows, or remove the entry",
                        entry.number,
                    )
                )
    return complaints


def as_entry(mutant: Mutant) -> str:
    """What to add to the file for a mutant, with the reason left to write."""
    pairs = {"function": mutant.function, "line": mutant.line, "becomes": mutant.becomes, "reason": ""}
    return "\n".join(["[[equivalent]]", *(f"{name} = {_quoted(value)}" for name, value in pairs.items())])


def _entry(table: Table) -> Equivalent:
    entry = Equivalent(
        function=table.text("function", default=""),
        line=table.text("line"),
        becomes=table.texts_or_text("becomes"),
        reason=table.text("reason"),
        number=table.line,
    )
    table.refuse_the_rest()
    return entry


def _plain(text: str) -> str:
    """A line without differences in spaces."""
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """A TOML string: between apostrophes where that saves escapes."""
    if "'" not in text and ('"' in text or "\\" in text):
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
