"""What is wrong with a package that can be read: everything that can be told without running it.

`package` says what the files say; this says what they should not. Each complaint names the file, the line where there
is one, the reason and the remedy, and all come at once. An error keeps a package from being published.
"""

import ast
import functools
import re
from collections.abc import Iterator

from judge.catalog.charts import criticize_charts
from judge.catalog.checkfiles import CheckFunction, criticize_checks, read_checks
from judge.catalog.package import ProblemPackage
from judge.catalog.python import readable_tree_of
from judge.catalog.table import Complaint, Severity
from judge.catalog.texts import Text
from sandbox.protocol import MAX_SUBMISSION_BYTES

TYPES = ("Tensor", "Module", "int", "float", "bool", "str", "None", "list", "dict", "tuple", "Any")
_FILES = re.compile(
    r"problem\.toml|statement\.md|(starter|reference|experiment)\.py|mutants\.toml|"
    r"(checks|correct|wrong)/[^/]+\.py|(notes|labs)/[^/]+\.md"
)


def criticize(package: ProblemPackage) -> list[Complaint]:
    """Every complaint about `package`, in the order of its files."""
    complaints: list[Complaint] = []
    statement = Text("statement.md", package.files.get("statement.md", ""))
    complaints += _of_functions(package)
    complaints += statement.complaints(labs=_labs(package))
    complaints += _of_sections(package, statement)
    complaints += _of_pages(package)
    complaints += criticize_checks(package.folder("checks"))
    complaints += _of_marks(package, statement)
    complaints += criticize_charts(
        package.runs,
        package.charts,
        {check.id for check in read_checks(package.folder("checks"))},
        has_experiment=bool(package.experiment),
    )
    complaints += _of_solutions(package)
    complaints += _of_mistakes(package)
    complaints += _of_files(package)
    return complaints


def _of_functions(package: ProblemPackage) -> Iterator[Complaint]:
    for name, declared in package.functions.items():
        unknown = [word for word in re.findall(r"[^\s(),]+", declared) if word not in TYPES]
        balanced = declared.count("(") == declared.count(")")
        if unknown or not balanced or not declared.strip():
            what = f"[functions] says that {name} returns {declared!r}"
            remedy = f"write one of {', '.join(TYPES)}, or several in parentheses: (Tensor, int)"
            yield Complaint("problem.toml", what, remedy, _line_of(package, rf"\s*{re.escape(name)}\s*="))


def _of_sections(package: ProblemPackage, statement: Text) -> Iterator[Complaint]:
    if not package.sections:
        remedy = "name the parts of the statement with [[sections]]"
        yield Complaint("problem.toml", "it names no sections", remedy)
    headings = {heading.anchor: heading for heading in statement.headings if heading.level == 2 and heading.anchor}
    for heading in statement.headings:
        if heading.level == 2 and not heading.anchor:
            remedy = "give it an anchor: ## Title {#name}"
            yield Complaint("statement.md", f"the section {heading.title!r} has no anchor", remedy, heading.line)
    for section in package.sections:
        line = _line_of(package, rf'\s*id\s*=\s*"{re.escape(section.id)}"')
        found = headings.pop(section.id, None)
        if found is None:
            remedy = f"write `## {section.title} {{#{section.id}}}` there, or remove the section here"
            yield Complaint("problem.toml", f"statement.md has no section #{section.id}", remedy, line)
        elif found.title != section.title:
            what = f"the section {section.id} is called {section.title!r} here and {found.title!r} in statement.md"
            yield Complaint("problem.toml", what, "give both the same title", line, Severity.WARNING)
    for heading in headings.values():
        remedy = f'add [[sections]] with id = "{heading.anchor}" to problem.toml'
        yield Complaint(
            "statement.md", f"problem.toml does not list the section #{heading.anchor}", remedy, heading.line
        )
    order = [
        heading.anchor for heading in statement.headings if heading.anchor in {part.id for part in package.sections}
    ]
    if order != [section.id for section in package.sections if section.id in order]:
        remedy = f"list them as they come there: {', '.join(order)}"
        yield Complaint("problem.toml", "[[sections]] are in another order than in statement.md", remedy)


def _of_pages(package: ProblemPackage) -> Iterator[Complaint]:
    listed = {note.file for note in package.notes} | {lab.file for lab in package.labs}
    for name, text in sorted(package.files.items()):
        if name.startswith(("notes/", "labs/")) and name.endswith(".md"):
            yield from Text(name, text).complaints(labs=_labs(package))
            if name not in listed:
                remedy = f"add it to [[{name.split('/')[0]}]], or remove the file"
                yield Complaint(name, "problem.toml does not list it", remedy)


def _labs(package: ProblemPackage) -> list[str]:
    """The pages of the problem that any text may link to."""
    return ["labs", *(lab.name for lab in package.labs)]


def _of_marks(package: ProblemPackage, statement: Text) -> Iterator[Complaint]:
    sections = {section.id for section in package.sections}
    checks = read_checks(package.folder("checks"))
    for check in checks:
        yield from _of_mark(check, sections, statement)
    covered = {check.sentence for check in checks}
    headings = {heading.anchor for heading in statement.headings}
    for anchor, line in statement.anchors.items():
        if anchor not in headings and anchor not in covered:
            remedy = "write a check with that sentence, or leave the anchor out"
            yield Complaint(
                "statement.md", f"no check stands for the sentence #{anchor}", remedy, line, Severity.WARNING
            )


def _of_mark(check: CheckFunction, sections: set[str], statement: Text) -> Iterator[Complaint]:
    if check.section is not None and check.section not in sections:
        what = f"the check {check.id} names the section {check.section!r}, which problem.toml does not list"
        yield Complaint(check.file, what, f"name one of {', '.join(sorted(sections))}", check.line)
    if check.sentence is not None and check.sentence not in statement.anchors:
        what = f"the check {check.id} names the sentence {check.sentence!r}, which statement.md does not have"
        remedy = f"mark that sentence there: [...]{{#{check.sentence}}}"
        yield Complaint(check.file, what, remedy, check.line)
    if check.hint:
        yield from Text(check.file, check.hint, check.hint_line).complaints(statement.anchors)


def _of_solutions(package: ProblemPackage) -> Iterator[Complaint]:
    folders = [name for name in package.files if name.startswith(("correct/", "wrong/")) and name.endswith(".py")]
    for name in ["starter.py", "reference.py", *folders]:
        text = package.files.get(name, "")
        missing = [function for function in package.functions if function not in _defined(text)]
        if missing and name in package.files:
            yield Complaint(name, f"it does not define {', '.join(missing)}", "define every function of [functions]")
        if len(text.encode()) > MAX_SUBMISSION_BYTES:
            yield Complaint(name, f"it is larger than the {MAX_SUBMISSION_BYTES:,} bytes that are judged", "shorten it")
    if package.files.get("starter.py") == package.files.get("reference.py"):
        yield Complaint("starter.py", "it is the reference", "leave out what the learner has to write")
    if package.experiment and "run" not in _defined(package.experiment):
        yield Complaint("experiment.py", "it does not define run", "write `def run(solution): ...`")
    if not any(name.startswith("correct/") for name in folders):
        remedy = "write the solution in another style, to see that the checks allow it"
        yield Complaint("correct/", "there is no other correct solution", remedy, severity=Severity.WARNING)


def _of_mistakes(package: ProblemPackage) -> Iterator[Complaint]:
    known = {check.id for check in read_checks(package.folder("checks"))}
    for mistake in package.mistakes:
        for name in mistake.fails:
            if name.split("[")[0] not in known:
                remedy = "name one of the checks: a function's name without test_"
                yield Complaint(mistake.file, f"fails names {name!r}, which is no check", remedy, 3)
        if mistake.hint:
            yield from Text(mistake.file, mistake.hint, 4).complaints({})


def _of_files(package: ProblemPackage) -> Iterator[Complaint]:
    for name in package.files:
        if not _FILES.fullmatch(name):
            remedy = "remove it; docs/authoring.md lists the files of a package"
            yield Complaint(name, "nothing reads this file", remedy, severity=Severity.WARNING)


@functools.lru_cache(maxsize=512)
def _defined(source: str) -> frozenset[str]:
    """Names that a module binds at its top level."""
    tree = readable_tree_of(source)
    if tree is None:
        return frozenset()
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return frozenset(names)


def _line_of(package: ProblemPackage, pattern: str) -> int | None:
    lines = package.files.get("problem.toml", "").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if re.match(pattern, line)), None)
