"""A problem package, format 1: what its files say, as frozen dataclasses.

A package is a folder of text files; `problem.toml` describes it. Parsing never runs a line of it. Everything that is
wrong is collected, so that an author sees all complaints at once, each with its file, reason and remedy.
"""

import dataclasses
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.catalog.charts import Chart, DrawnRun, parse_charts, parse_runs
from judge.catalog.mistakes import Mistake, read_mistake
from judge.catalog.python import Unreadable, tree_of
from judge.catalog.table import Complaint, Table
from sandbox import protocol

FORMAT = 1
DIFFICULTIES = ("easy", "medium", "hard")
_LAB_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST = protocol.Limits(check_seconds=60.0, total_seconds=600.0, memory_mb=16_384, output_kb=1024)
"""The largest limits that a package may ask for."""
_REQUIRED_FILES = ("problem.toml", "statement.md", "starter.py", "reference.py")


class PackageError(Exception):
    """The package can't be used. `complaints` says why, all of it."""

    def __init__(self, slug: str, complaints: list[Complaint], package: "ProblemPackage | None" = None) -> None:
        super().__init__("\n".join(str(complaint) for complaint in complaints))
        self.slug = slug
        self.complaints = complaints
        self.package = package
        """What could be read of it."""


@dataclasses.dataclass(frozen=True)
class Paper:
    title: str
    authors: tuple[str, ...]
    year: int
    venue: str
    url: str

    @property
    def short_authors(self) -> str:
        if len(self.authors) <= 2:
            return " and ".join(self.authors)
        return f"{self.authors[0]} et al."


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of the statement, by the anchor of its heading."""

    id: str
    title: str


@dataclasses.dataclass(frozen=True)
class Note:
    """One part of what passing unlocks."""

    file: str
    title: str

    @property
    def anchor(self) -> str:
        """Names it on the page of notes: `01-negatives`."""
        return self.file.removeprefix("notes/").removesuffix(".md")


@dataclasses.dataclass(frozen=True)
class Lab:
    """A page of interactive figures, open to everybody."""

    name: str
    """In the address of its page."""
    title: str
    summary: str
    file: str


@dataclasses.dataclass(frozen=True)
class ProblemPackage:
    slug: str
    version: str
    title: str
    summary: str
    difficulty: str
    topics: tuple[str, ...]
    position: int
    paper: Paper
    limits: protocol.Limits
    functions: Mapping[str, str]
    sections: tuple[Section, ...]
    notes: tuple[Note, ...]
    labs: tuple[Lab, ...]
    runs: tuple[DrawnRun, ...]
    charts: tuple[Chart, ...]
    mistakes: tuple[Mistake, ...]
    files: Mapping[str, str]
    """Path below the folder -> text."""

    @property
    def statement(self) -> str:
        return self.files["statement.md"]

    @property
    def starter(self) -> str:
        return self.files["starter.py"]

    @property
    def reference(self) -> str:
        return self.files["reference.py"]

    @property
    def experiment(self) -> str:
        """The supplied run, or an empty text."""
        return self.files.get("experiment.py", "")

    def folder(self, name: str) -> dict[str, str]:
        """The files of one subfolder, by their name in it."""
        return {path.removeprefix(f"{name}/"): text for path, text in self.files.items() if path.startswith(f"{name}/")}

    def for_judging(self) -> protocol.Package:
        """The parts that the sandbox gets: the reference for its checkers alone, and no known mistakes."""
        supplied = {"experiment.py": self.experiment} if self.experiment else {}
        checks = self.folder("checks")
        return protocol.Package(self.slug, self.version, self.functions, checks, supplied, self.reference)


def read_folder(folder: Path) -> ProblemPackage:
    """The package in `folder`. Raises `PackageError`."""
    files: dict[str, str] = {}
    complaints: list[Complaint] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(part.startswith((".", "__pycache__")) for part in name.split("/")) or path.is_dir():
            continue
        if path.is_symlink() or not path.is_file():
            complaints.append(Complaint(name, "it is not a plain file", "put the file itself here"))
            continue
        try:
            files[name] = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            complaints.append(Complaint(name, f"byte {error.start} is not UTF-8 text", "save the file as UTF-8"))
    if complaints:
        raise PackageError(folder.resolve().name, complaints)
    return parse(folder.resolve().name, files)


def version_of(files: Mapping[str, str]) -> str:
    """16 hexadecimal digits of the SHA-256 over the sorted files, names and lengths included."""
    digest = hashlib.sha256()
    for path in sorted(files):
        content = files[path].encode()
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def parse(slug: str, files: Mapping[str, str]) -> ProblemPackage:
    """What `files` (path -> text) say. Raises `PackageError` with everything that is wrong."""
    package, complaints = parse_all(slug, files)
    if complaints:
        raise PackageError(slug, complaints, package)
    return package


def parse_all(slug: str, files: Mapping[str, str]) -> tuple[ProblemPackage, list[Complaint]]:
    """What `files` say, as far as it can be read, and everything that keeps it from being used."""
    complaints = [
        Complaint(name, "this file is missing", "add it; docs/authoring.md shows each file")
        for name in _REQUIRED_FILES
        if name not in files
    ]
    if not any(name.startswith("checks/test_") and name.endswith(".py") for name in files):
        complaints.append(Complaint("checks/", "there is no check", "add a file checks/test_*.py"))
    table = Table.read("problem.toml", files.get("problem.toml", ""), complaints)
    _parse_format(table)
    package = ProblemPackage(
        slug=slug,
        version=version_of(files),
        title=table.text("title"),
        summary=table.text("summary"),
        difficulty=table.choice("difficulty", DIFFICULTIES),
        topics=table.texts("topics"),
        position=table.integer("position", default=1000),
        paper=_parse_paper(table.table("paper")),
        limits=_parse_limits(table.table("limits", required=False)),
        functions=_parse_functions(table.table("functions")),
        sections=tuple(_parse_section(part) for part in table.tables("sections")),
        notes=tuple(_parse_note(part, files) for part in table.tables("notes")),
        labs=_parse_labs(table, files),
        runs=parse_runs(table),
        charts=parse_charts(table),
        mistakes=tuple(
            read_mistake(name, text, complaints)
            for name, text in sorted(files.items())
            if name.startswith("wrong/") and name.endswith(".py")
        ),
        files=dict(files),
    )
    table.refuse_the_rest()
    for name, text in files.items():
        complaints.extend(_unreadable_python(name, text))
    return package, complaints


def _parse_format(table: Table) -> None:
    number = table.integer("format", default=0)
    if number != FORMAT:
        remedy = f"write `format = {FORMAT}`, the format that is read here"
        table.complain(f"format is {number or 'missing'}", remedy, "format")


def _parse_paper(table: Table) -> Paper:
    paper = Paper(
        title=table.text("title"),
        authors=table.texts("authors"),
        year=table.integer("year"),
        venue=table.text("venue", default=""),
        url=table.text("url"),
    )
    if paper.url and not paper.url.startswith(("https://", "http://")):
        table.complain(f"paper.url is {paper.url!r}", "write an address that starts with https://", "url")
    if re.search(r"\b\d{4}\b", paper.venue):
        remedy = "leave the year to `year`, which is shown behind it"
        table.complain(f"paper.venue is {paper.venue!r}", remedy, "venue")
    table.refuse_the_rest()
    return paper


def _parse_limits(table: Table) -> protocol.Limits:
    values: dict[str, Any] = {}
    for field in dataclasses.fields(protocol.Limits):
        assert isinstance(field.default, int | float)
        value = table.number(field.name, default=field.default)
        most = getattr(MOST, field.name)
        if not 0 < value <= most:
            table.complain(f"limits.{field.name} is {value}", f"write a number above 0, {most:g} at most", field.name)
            value = field.default
        values[field.name] = float(value) if isinstance(field.default, float) else int(value)
    table.refuse_the_rest()
    return protocol.Limits(**values)


def _parse_functions(table: Table) -> dict[str, str]:
    functions = {name: table.text(name) for name in table.names()}
    if not functions:
        table.complain("[functions] names no function", 'write what a submission must define, such as f = "Tensor"')
    for name in functions:
        if not name.isidentifier():
            table.complain(f"[functions] names {name!r}", "write the name of a Python function", name)
    return functions


def _parse_section(table: Table) -> Section:
    section = Section(table.text("id"), table.text("title"))
    table.refuse_the_rest()
    return section


def _parse_note(table: Table, files: Mapping[str, str]) -> Note:
    note = Note(file=table.text("file"), title=table.text("title"))
    if note.file and note.file not in files:
        remedy = "add the file, or leave the entry out"
        table.complain(f"[[notes]] names {note.file}, which is missing", remedy, "file")
    table.refuse_the_rest()
    return note


def _parse_labs(table: Table, files: Mapping[str, str]) -> tuple[Lab, ...]:
    labs: dict[str, Lab] = {}
    for part in table.tables("labs"):
        lab = Lab(part.text("name"), part.text("title"), part.text("summary", default=""), part.text("file"))
        if lab.name and not _LAB_NAME.fullmatch(lab.name):
            part.complain(f"[[labs]] has the name {lab.name!r}", "write small letters, digits and hyphens", "name")
        elif lab.name in labs:
            part.complain(f"[[labs]] has the name {lab.name!r} twice", "give each page a name of its own", "name")
        if lab.file and lab.file not in files:
            part.complain(
                f"[[labs]] names {lab.file}, which is missing", "add the file, or leave the entry out", "file"
            )
        part.refuse_the_rest()
        labs[lab.name] = lab
    return tuple(labs.values())


def _unreadable_python(name: str, text: str) -> list[Complaint]:
    """Python that doesn't compile. Known mistakes of a package are whole programs too."""
    if not name.endswith(".py"):
        return []
    try:
        tree_of(text, name)
    except Unreadable as error:
        return [Complaint(name, str(error), "mend the syntax", error.line)]
    return []
