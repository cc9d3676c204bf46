"""Mutants of a reference solution: its text with one small fault in it.

A check that no fault can fail checks nothing. The mutants come from the syntax tree (`mutations` says which) and are
made by replacing one node's text, so that line numbers, comments and the diff are those of the author's own file.
"""

import ast
import dataclasses
import difflib
from collections.abc import Iterator

from judge.catalog.mutations import Change, changes_of, changes_of_keyword, negations, other_parameters
from judge.catalog.python import parsed

_LOOSE = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr)
"""Expressions that need parentheses beside an operator, a dot or a bracket."""
_BINDING = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Attribute, ast.Subscript, ast.Call, ast.IfExp)


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One fault in a source text. `function`, `line` and `becomes` together name it, as `mutants.toml` does."""

    function: str
    """The function or method that it is in, such as `Layer.forward`; empty outside of any."""
    what: str
    number: int
    """The first line that differs."""
    line: str
    """The lines that differ, as they were: stripped, and joined by a space."""
    becomes: str
    """The same as they are now."""
    source: str

    def diff(self, original: str, file: str) -> str:
        before, after = original.splitlines(), self.source.splitlines()
        lines = difflib.unified_diff(before, after, file, file, tofiledate=f"({self.what})", lineterm="", n=2)
        return "\n".join(lines)


def mutants_of(source: str) -> tuple[Mutant, ...]:
    """Every mutant of `source` whose syntax tree differs from it and from the mutants before."""
    tree = parsed(source)
    seen = {ast.dump(tree)}
    mutants = []
    text = _Text(source)
    for scope, parent, node, (new, what) in _walk(tree, _Scope(), tree):
        changed = text.replace(node, new, loose=isinstance(new, _LOOSE) and isinstance(parent, _BINDING))
        try:
            dump = ast.dump(parsed(changed))
        except SyntaxError:
            continue  # such as a part that may stand nowhere else
        if dump not in seen:
            seen.add(dump)
            mutants.append(_mutant(source, changed, scope.name, what))
    return tuple(sorted(mutants, key=lambda mutant: mutant.number))


@dataclasses.dataclass(frozen=True)
class _Scope:
    """What a node stands in: the dotted name, and the innermost function."""

    name: str = ""
    function: ast.FunctionDef | ast.AsyncFunctionDef | None = None

    def inside(self, node: ast.AST) -> "_Scope":
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return self
        return _Scope(f"{self.name}.{node.name}".lstrip("."), None if isinstance(node, ast.ClassDef) else node)


def _walk(node: ast.AST, scope: _Scope, parent: ast.AST) -> Iterator[tuple[_Scope, ast.AST, ast.AST, Change]]:
    """Every change below `node`: where it is, the parent of the changed node, that node, the change."""
    scope = scope.inside(node)
    if not _is_idle(node, parent):
        for change in changes_of(node):
            yield scope, parent, node, change
    if isinstance(node, ast.Name) and scope.function is not None:
        for change in other_parameters(scope.function, node):
            yield scope, parent, node, change
    for test in _conditions(node):
        for change in negations(test):
            yield scope, node, test, change
    for child in _children(node):
        special = changes_of_keyword(child) if isinstance(child, ast.keyword) else None
        if special is None:
            yield from _walk(child, scope, node)
        elif isinstance(child, ast.keyword):
            for change in special:
                yield scope, child, child.value, change


def _is_idle(node: ast.AST, parent: ast.AST) -> bool:
    """Whether changes of `node` would add nothing: its statement is dropped as a whole, or they could only crash."""
    if isinstance(node, ast.Call):
        return isinstance(parent, ast.Expr)
    return isinstance(node, (ast.Tuple, ast.List)) and isinstance(parent, (ast.Tuple, ast.List, ast.Assign))


def _conditions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Without what no run depends on: annotations, docstrings, messages, imports."""
    left_out: tuple[object, ...] = ()
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Assert():
            return
        case ast.AnnAssign():
            left_out = (node.annotation, node.target)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            left_out = (node.returns, *node.decorator_list)
        case ast.arg() | ast.keyword(arg="strict"):
            return
        case ast.Call(func=ast.Name(id="getattr" | "setattr" | "hasattr")):
            left_out = tuple(node.args[1:2])
        case ast.Subscript() if isinstance(node.slice, ast.Tuple):
            yield node.value
            yield from node.slice.elts
            return
    for child in ast.iter_child_nodes(node):
        if not any(child is other for other in left_out):
            yield child


def _mutant(source: str, changed: str, function: str, what: str) -> Mutant:
    before, after = source.splitlines(), changed.splitlines()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    return Mutant(function, what, start + 1, _joined(old), _joined(new), changed)


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


class _Text:
    """A source of which single nodes are replaced. Columns of a syntax tree count bytes of UTF-8."""

    def __init__(self, source: str) -> None:
        self._bytes = source.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def replace(self, node: ast.AST, new: ast.AST, *, loose: bool) -> str:
        """The whole text with `new` for `node`; in parentheses if it is `loose` and stands in none."""
        assert isinstance(node, (ast.expr, ast.stmt))
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        before, after = self._bytes[:start], self._bytes[end:]
        written = ast.unparse(new).encode()
        if loose and not (before.endswith(b"(") and after.startswith(b")")):
            written = b"(" + written + b")"
        return (before + written + after).decode()
