"""What can be read of checks without running them: their names, marks and hints, and what must not be in them."""

import ast
import dataclasses
from collections.abc import Iterator, Mapping

from judge.catalog.python import readable_tree_of
from judge.catalog.table import Complaint, Severity

_FIXTURES = {"solution", "rng"}


@dataclasses.dataclass(frozen=True)
class CheckFunction:
    """A test function of `checks/`. A text is None where it is missing or is not written out."""

    file: str
    id: str
    line: int
    is_marked: bool
    section: str | None
    sentence: str | None
    hint: str | None
    hint_line: int
    arguments: tuple[str, ...]
    parameters: tuple[str, ...]
    """Names that `pytest.mark.parametrize` gives values to."""


def read_checks(files: Mapping[str, str]) -> list[CheckFunction]:
    """The checks of `files` (name in `checks/` -> text), in order."""
    return [
        _read(f"checks/{name}", node)
        for name, tree in _trees(files)
        if name.startswith("test_")
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


class CheckPlaces:
    """Where each check is written, for complaints about what it did."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._checks = {check.id: check for check in read_checks(files)}

    def complaint(self, check_id: str, reason: str, remedy: str, severity: Severity = Severity.ERROR) -> Complaint:
        """A complaint of the check at its line."""
        check = self._checks.get(check_id.split("[")[0])
        if check is None:
            return Complaint("checks/", reason, remedy, severity=severity)
        return Complaint(check.file, reason, remedy, check.line, severity)


def criticize_checks(files: Mapping[str, str]) -> Iterator[Complaint]:
    """What is wrong with the checks by themselves."""
    seen: dict[str, CheckFunction] = {}
    for check in read_checks(files):
        yield from _of_check(check)
        if check.id in seen:
            what = f"the check {check.id} is defined again; first in {seen[check.id].file}:{seen[check.id].line}"
            yield Complaint(check.file, what, "give it a name of its own", check.line)
        seen.setdefault(check.id, check)
    for name, tree in _trees(files):
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                remedy = "use close, equal, ensure or fail, which tell the learner what came"
                yield Complaint(f"checks/{name}", "a bare assert would count as a broken check", remedy, node.lineno)


def _of_check(check: CheckFunction) -> Iterator[Complaint]:
    if not check.is_marked:
        remedy = 'put @check("What holds when it passes", section="...") above it'
        yield Complaint(check.file, f"test_{check.id} has no @check(...)", remedy, check.line)
        return
    for argument in check.arguments:
        if argument not in _FIXTURES and argument not in check.parameters:
            remedy = "use `solution` and `rng`, or give it values with pytest.mark.parametrize"
            yield Complaint(check.file, f"test_{check.id} asks for the unknown {argument!r}", remedy, check.line)
    if not check.hint:
        what = f"the check {check.id} has no hint"
        yield Complaint(check.file, what, "say what to think about, without the code", check.line, Severity.WARNING)


def _trees(files: Mapping[str, str]) -> Iterator[tuple[str, ast.Module]]:
    for name, text in files.items():
        if name.endswith(".py") and (tree := readable_tree_of(text)) is not None:
            yield name, tree


def _read(file: str, node: ast.FunctionDef) -> CheckFunction:
    calls = [part for part in node.decorator_list if isinstance(part, ast.Call)]
    mark = next((call for call in calls if ast.unparse(call.func).split(".")[-1] == "check"), None)
    keywords = {keyword.arg: keyword.value for keyword in mark.keywords} if mark else {}
    parameters: list[str] = []
    for call in calls:
        if ast.unparse(call.func).endswith("parametrize") and call.args:
            parameters += _names(call.args[0])
    return CheckFunction(
        file=file,
        id=node.name.removeprefix("test_"),
        line=node.lineno,
        is_marked=mark is not None,
        section=_text(keywords.get("section")),
        sentence=_text(keywords.get("sentence")),
        hint=_text(keywords.get("hint")),
        hint_line=keywords["hint"].lineno if "hint" in keywords else node.lineno,
        arguments=tuple(argument.arg for argument in node.args.args),
        parameters=tuple(parameters),
    )


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, (ast.Tuple, ast.List)):
        return [text for part in node.elts if (text := _text(part))]
    return [name.strip() for name in (_text(node) or "").split(",")]


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
