"""Types of results as `[functions]` of problem.toml writes them: `Tensor`, `int`, `(Tensor, int)`, `Module`, `Any`."""

from __future__ import annotations

from typing import Any

import torch

from sandbox.compare import show
from sandbox.values import Handle, Opaque


def type_complaint(value: Any, declared: str) -> str:
    """What `value` is, in words, when it is not of the declared type; empty when it is."""
    declared = declared.strip()
    if declared == "Any":
        return ""
    if declared.startswith("("):
        parts = split_types(declared)
        if type(value) is not tuple or len(value) != len(parts):
            return describe(value)
        return describe(value) if any(map(type_complaint, value, parts)) else ""
    kinds = {"Tensor": torch.Tensor, "int": int, "float": float, "bool": bool, "str": str, "None": type(None)}
    kinds |= {"Module": Handle, "list": list, "dict": dict, "tuple": tuple}
    if declared not in kinds:
        raise LookupError(f"[functions] names the unknown type {declared!r}")
    return "" if type(value) is kinds[declared] else describe(value)


def split_types(declared: str) -> list[str]:
    """The parts of `(A, (B, C))`."""
    parts, depth, current = [], 0, ""
    for character in declared[1:-1]:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append(current)
            current = ""
        else:
            current += character
    return [part.strip() for part in (*parts, current) if part.strip()]


def describe(value: Any) -> str:
    """A value with its type: `a float (0.69)`, `a Parameter of shape [3]`, `None`."""
    if isinstance(value, Opaque):
        return value.description
    if value is None:
        return "None"
    if isinstance(value, Handle):
        return "a Module"
    if isinstance(value, torch.Tensor):
        return "a " + show(value)
    if type(value) is tuple:
        return "the tuple (" + ", ".join(describe(item) for item in value[:6]) + ")"
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    article = "an" if type(value).__name__[0] in "aeiou" else "a"
    return f"{article} {type(value).__name__} ({show(value)})"
