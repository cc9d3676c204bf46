"""The small faults that are put into a reference solution, one at a time, to see whether a check notices.

Each function below looks at one kind of node and yields what could stand in its place, with what that is called. They
imitate slips: another operator, a forgotten `detach`, two arguments the wrong way round, a check of an argument left
out. Text inside of messages (f-strings, what is raised) is left alone: nothing depends on it.
"""

import ast
import copy
from collections.abc import Iterator

Change = tuple[ast.AST, str]
"""What stands in the place of a node, and what is done."""

_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Div,
    ast.Pow: ast.Mult,
}
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ONE_SIDED = (ast.Sub, ast.Div, ast.MatMult, ast.Mod, ast.FloorDiv, ast.Pow)
"""Operators whose operands can't be swapped without consequence."""
_RENAMED = {
    "mean": "sum",
    "sum": "mean",
    "max": "min",
    "min": "max",
    "amax": "amin",
    "amin": "amax",
    "argmax": "argmin",
    "argmin": "argmax",
    "all": "any",
    "any": "all",
    "no_grad": "enable_grad",
    "zeros": "ones",
    "ones": "zeros",
    "zeros_like": "ones_like",
    "ones_like": "zeros_like",
}
_BUILTINS = {"max", "min", "all", "any"}
"""Those of `_RENAMED` that are functions without a module, too."""
_MADE_BY_CALL = {"bool", "isinstance", "type", "len", "range", "zip", "enumerate", "super", "print"}
"""Calls whose first argument can't stand for them, or means the same."""
_SYMMETRIC = {"isinstance", "max", "min", "maximum", "minimum", "equal", "allclose", "dot", "hypot"}
"""Calls in which the order of arguments means nothing, or another order only a crash."""
_AXES = {"dim", "axis"}


def changes_of(node: ast.AST) -> Iterator[Change]:
    """Everything that could stand in the place of `node`."""
    match node:
        case ast.BinOp():
            yield from _binary(node)
        case ast.Compare():
            yield from _comparison(node)
        case ast.BoolOp():
            yield from _boolean(node)
        case ast.UnaryOp():
            yield node.operand, "drops a sign" if isinstance(node.op, ast.USub) else "drops a not"
        case ast.Constant():
            yield from _constant(node)
        case ast.Call():
            yield from _call(node)
        case ast.Subscript():
            yield from _slice(node)
        case ast.Attribute(attr="T" | "mT" | "H"):
            yield node.value, f"drops .{node.attr}"
        case ast.Tuple() | ast.List():
            yield from _sequence(node)
        case ast.Return(value=ast.Tuple(elts=parts)):
            for part in parts:
                yield ast.Return(part), "returns one part alone"
        case ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Assert():
            yield ast.Pass(), "drops the statement"
        case ast.Break() | ast.Continue():
            yield ast.Pass(), "goes on in the loop"
        case ast.Expr(value=ast.Call()):
            yield ast.Pass(), "drops the statement"
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass(), "drops the assignment"


def negations(test: ast.expr) -> Iterator[Change]:
    """The condition of an `if` or a `while` the other way round, where no other change does that."""
    if not isinstance(test, (ast.UnaryOp, ast.Compare)):
        yield ast.UnaryOp(ast.Not(), test), "negates the condition"


def changes_of_keyword(keyword: ast.keyword) -> Iterator[Change] | None:
    """For an argument that names a dimension: another one. None for other arguments, which are changed as any value."""
    return _axis_changes(keyword) if keyword.arg in _AXES else None


def _axis_changes(keyword: ast.keyword) -> Iterator[Change]:
    match keyword:
        case ast.keyword(value=ast.Constant(value=int(axis))):
            yield ast.Constant(1 if axis == 0 else 0), "takes another dimension"
        case ast.keyword(value=ast.UnaryOp(op=ast.USub())):
            yield ast.Constant(0), "takes another dimension"


def other_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, name: ast.Name) -> Iterator[Change]:
    """Where a parameter is used: the next one that is annotated alike."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    kinds = {
        argument.arg: ast.dump(argument.annotation) if argument.annotation else ""
        for argument in arguments
        if argument.arg not in ("self", "cls")
    }
    alike = [other for other, kind in kinds.items() if name.id in kinds and kind == kinds[name.id]]
    if isinstance(name.ctx, ast.Load) and len(alike) > 1:
        other = alike[(alike.index(name.id) + 1) % len(alike)]
        yield ast.Name(other, ast.Load()), f"takes {other} for {name.id}"


def _binary(node: ast.BinOp) -> Iterator[Change]:
    other = _OPERATORS.get(type(node.op))
    if other is not None:
        yield ast.BinOp(node.left, other(), node.right), "takes another operator"
    if isinstance(node.op, _ONE_SIDED):
        yield ast.BinOp(node.right, node.op, node.left), "swaps the operands"
    if not isinstance(node.op, ast.MatMult):
        yield node.left, "drops the right operand"
        if not isinstance(node.op, ast.Pow):
            yield node.right, "drops the left operand"


def _comparison(node: ast.Compare) -> Iterator[Change]:
    for place, operator in enumerate(node.ops):
        changed = copy.copy(node)
        changed.ops = [*node.ops[:place], _COMPARISONS[type(operator)](), *node.ops[place + 1 :]]
        yield changed, "takes another comparison"


def _boolean(node: ast.BoolOp) -> Iterator[Change]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values), "swaps and with or"
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest), "drops a part of the condition"


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value), "takes another constant"
    elif isinstance(value, int):
        for other in (value + 1, value - 1):
            yield ast.Constant(other), "takes another constant"
    elif isinstance(value, float):
        for changed in (float(f"{value * 1.1:.12g}"), 0.0 if value else 1.0):
            yield ast.Constant(changed), "takes another constant"


def _call(node: ast.Call) -> Iterator[Change]:
    function, first = node.func, node.args[0] if node.args else None
    name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
    if isinstance(function, ast.Attribute) and not _is_module(function.value):
        yield function.value, f"drops {name}()"
    elif first is not None and not isinstance(first, ast.Starred) and name not in _MADE_BY_CALL:
        yield first, f"drops {name}()"
    if isinstance(function, ast.Attribute) and name in _RENAMED:
        renamed = ast.Attribute(function.value, _RENAMED[name], ast.Load())
        yield ast.Call(renamed, node.args, node.keywords), f"takes {_RENAMED[name]}() for {name}()"
    elif name in _BUILTINS:
        other = ast.Name(_RENAMED[name], ast.Load())
        yield ast.Call(other, node.args, node.keywords), f"takes {_RENAMED[name]}() for {name}()"
    for place in range(len(node.args) - 1 if name not in _SYMMETRIC else 0):
        swapped = [*node.args]
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
        yield ast.Call(function, swapped, node.keywords), "swaps two arguments"
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg != "strict":
            rest = [other for other in node.keywords if other is not keyword]
            yield ast.Call(function, node.args, rest), f"drops the argument {keyword.arg}"


def _slice(node: ast.Subscript) -> Iterator[Change]:
    if not isinstance(node.slice, ast.Slice):
        return
    yield node.value, "drops a slice"
    for bound in ("lower", "upper", "step"):
        if getattr(node.slice, bound) is not None:
            rest = copy.copy(node.slice)
            setattr(rest, bound, None)
            yield ast.Subscript(node.value, rest, ast.Load()), f"drops the {bound} bound of a slice"


def _sequence(node: ast.Tuple | ast.List) -> Iterator[Change]:
    if len(node.elts) < 2 or not isinstance(node.ctx, ast.Load):
        return
    for place in range(len(node.elts)):
        rest = [*node.elts[:place], *node.elts[place + 1 :]]
        yield type(node)(rest, ast.Load()), "leaves an element out"


def _is_module(node: ast.expr) -> bool:
    """Whether `node.name(...)` is a call of a module's function, as far as its name tells."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in {
        "torch",
        "math",
        "F",
        "nn",
        "np",
        "numpy",
        "functools",
        "itertools",
    }
