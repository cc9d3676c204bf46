"""Python of a package as a syntax tree: read, never run, and never so deep that reading it harms the reader."""

import ast
import functools

MAX_DEPTH = 200
"""Of nodes within nodes. Whoever walks a tree here may call itself for each level."""


class Unreadable(Exception):
    """The text is no Python that can be used. The message says why."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


def parsed(text: str) -> ast.Module:
    """`ast.parse`, undisturbed by other threads. Raises what it raises.

    Until Python 3.13 the interpreter counts the depth of a tree for all threads together: one that is made in the
    middle of another's (a traceback that is printed parses, too) makes both fail with a SystemError.
    """
    for _ in range(20):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)


def tree_of(text: str, file: str = "<unknown>") -> ast.Module:
    """The syntax tree. Raises `Unreadable`."""
    if (fault := _fault_of(text, file)) is not None:
        raise Unreadable(*fault)
    return parsed(text)


@functools.lru_cache(maxsize=64)
def readable_tree_of(text: str) -> ast.Module | None:
    """The syntax tree, or None where parsing the package has complained of the text. It is shared: read it only."""
    try:
        return tree_of(text)
    except Unreadable:
        return None


@functools.lru_cache(maxsize=512)
def _fault_of(text: str, file: str) -> tuple[str, int | None] | None:
    """Kept: an author changes one file of a hundred, and all are read again."""
    try:
        compile(text, file, "exec", dont_inherit=True)  # it finds more than the parser alone
        tree = parsed(text)
    except SyntaxError as error:
        return f"it is not valid Python: {error}", error.lineno
    except (ValueError, OverflowError) as error:
        return f"it is not valid Python: {error}", None
    except (RecursionError, MemoryError):
        return "it is nested too deep to be read", None
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return None
    return f"it is nested more than {MAX_DEPTH} levels deep", _line_of(level)


def _line_of(nodes: list[ast.AST]) -> int | None:
    return next((line for node in nodes if (line := getattr(node, "lineno", None)) is not None), None)
