"""Comparing what came with what was expected, and saying it: the message and the data of a failed check."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

MAX_TABLE_ENTRIES = 64
"""A tensor of up to so many entries is shown whole; of a larger one, the first entry that differs."""

DEFAULT_TOLERANCES: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-9, 1e-9),
    torch.float32: (2e-5, 1e-5),
    torch.float16: (5e-3, 5e-3),
    torch.bfloat16: (2e-2, 2e-2),
}
"""dtype -> (absolute, relative) error that `close` allows unless it is told otherwise."""


class CheckFailed(AssertionError):
    """A check that a submission did not pass: a sentence for the learner, and the same as data for the report."""

    def __init__(self, message: str, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class MarginRecord:
    """The comparison of one check that came nearest to its tolerance."""

    def __init__(self) -> None:
        self.details: dict[str, Any] | None = None

    def add(self, margin: dict[str, float], what: str, where: str, dtype: str) -> None:
        if self.details is None or margin["ratio"] > self.details["ratio"]:
            dtype = dtype.removeprefix("torch.")
            self.details = {"kind": "margin", "what": what, "where": where, "dtype": dtype, **margin}


_record: MarginRecord | None = None


def record_margins(*, on: bool) -> MarginRecord | None:
    """Begins a new record of what `close` finds, or none: then a passed comparison costs nothing more."""
    global _record
    _record = MarginRecord() if on else None
    return _record


def _margin(got: torch.Tensor, expected: torch.Tensor, allowed: torch.Tensor) -> dict[str, float]:
    """Where the error is largest in units of what is allowed there: that error, what is allowed, and their ratio."""
    errors = torch.where(got == expected, torch.zeros_like(got), (got - expected).abs()).reshape(-1)
    ratios = torch.where(errors == 0, torch.zeros_like(errors), errors / allowed.reshape(-1))
    place = int(ratios.argmax())
    return {
        "error": float(errors[place]),
        "allowed": float(allowed.reshape(-1)[place]),
        "ratio": float(ratios[place]),
    }


def tolerance(dtype: torch.dtype, temperature: float) -> float:
    """The absolute error that equivalent formulas may have in a loss whose logits are divided by `temperature`.

    Dividing by T also divides the rounding of the similarities, `eps`; five common ways to write the loss stay within
    16 of those.
    """
    return max(DEFAULT_TOLERANCES[dtype][0], 16 * torch.finfo(dtype).eps / temperature)


def close(
    got: Any,
    expected: Any,
    what: str = "the result",
    *,
    atol: float | None = None,
    rtol: float | None = None,
    where: str = "",
) -> None:
    """Fails the check unless `got` is `expected` within `atol + rtol * abs(expected)`, entry by entry.

    Args:
        got: what the submission returned: a tensor, a number, or nested lists of numbers.
        expected: a tensor (its dtype is compared too), a number (then `got` must be a scalar), or nested lists.
        what: the name of the compared thing, for the message: "loss", "gradient of query".
        atol, rtol: allowed error; by default what `DEFAULT_TOLERANCES` says for the dtype of `got`.
        where: put in front of the message: "step 3, query encoder".

    Raises:
        CheckFailed: with the expected and the received value, and the first entry that differs.
    """
    name = _name(what, where)
    received = _as_tensor(got, name)
    wanted = expected if isinstance(expected, torch.Tensor) else torch.tensor(expected, dtype=torch.float64)
    if isinstance(expected, torch.Tensor):
        _same_dtype(received, wanted, name)
    _same_shape(received, wanted, name)
    absolute, relative = DEFAULT_TOLERANCES.get(received.dtype, (1e-9, 1e-9))
    absolute, relative = absolute if atol is None else atol, relative if rtol is None else rtol
    left, right = received.detach().to(torch.float64), wanted.detach().to(torch.float64)
    if _record is None and _all_close(left, right, absolute, relative):
        return
    allowed = absolute + relative * right.abs()
    wrong = ~((left - right).abs() <= allowed) & ~(left == right)
    if bool(wrong.any()):
        margin = _margin(left, right, allowed)
        _report(left, right, wrong, what, where, str(received.dtype), float(allowed.max()), margin)
    if _record is not None and left.numel():
        _record.add(_margin(left, right, allowed), what, where, str(received.dtype))


def _all_close(left: torch.Tensor, right: torch.Tensor, absolute: float, relative: float) -> bool:
    """Whether every entry is within its tolerance; of a small tensor, without the many small operations of torch."""
    if left.numel() > MAX_TABLE_ENTRIES:
        return False
    pairs = zip(left.reshape(-1).tolist(), right.reshape(-1).tolist(), strict=True)
    return all(got == wanted or abs(got - wanted) <= absolute + relative * abs(wanted) for got, wanted in pairs)


def equal(got: Any, expected: Any, what: str = "the result", *, where: str = "") -> None:
    """Fails the check unless `got` is exactly `expected`: type and value, and for a tensor dtype, shape and entries."""
    name = _name(what, where)
    if isinstance(expected, torch.Tensor):
        received = _as_tensor(got, name)
        _same_dtype(received, expected, name)
        _same_shape(received, expected, name)
        wrong = (received != expected) & ~((received != received) & (expected != expected))
        if bool(wrong.any()):
            _report(received.detach(), expected.detach(), wrong, what, where, str(received.dtype), 0.0)
    elif type(got) is not type(expected) or got != expected:
        shown, wanted = show(got), show(expected)
        if type(got) is not type(expected):
            shown += f" ({type(got).__name__})"
            wanted += f" ({type(expected).__name__})"
        details = {"kind": "value", "what": what, "where": where, "expected": wanted, "got": shown}
        raise CheckFailed(f"{name}: expected {wanted}, got {shown}.", details)


def ensure(condition: bool, message: str) -> None:
    """Fails the check with `message` unless `condition` holds. A learner reads the message: what came, what must."""
    if not condition:
        raise CheckFailed(message)


def fail(message: str) -> None:
    """Fails the check with `message`."""
    raise CheckFailed(message)


def show(value: Any) -> str:
    """A value as a learner reads it, in a few words."""
    if isinstance(value, torch.Tensor):
        kind = "Parameter" if isinstance(value, torch.nn.Parameter) else "tensor"
        if value.numel() == 1:
            return f"{kind} {number(float(value))} of shape {list(value.shape)}"
        return f"{kind} of shape {list(value.shape)}"
    if type(value) is float:
        return number(value)
    if isinstance(value, (tuple, list)):
        opening, closing = ("(", ")") if isinstance(value, tuple) else ("[", "]")
        parts = [show(item) for item in value[:4]] + (["..."] if len(value) > 4 else [])
        return opening + ", ".join(parts) + closing
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def number(value: float, digits: int = 6) -> str:
    if math.isfinite(value) and value == int(value) and abs(value) < 1e6:
        return str(int(value))
    return f"{value:.{digits}g}"


def _pair(got: float, expected: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to tell them apart."""
    for digits in range(6, 18):
        left, right = number(got, digits), number(expected, digits)
        if left != right:
            break
    return left, right


def _name(what: str, where: str) -> str:
    text = f"{where}: {what}" if where else what
    return text[:1].upper() + text[1:]


def _as_tensor(got: Any, name: str) -> torch.Tensor:
    if isinstance(got, torch.Tensor):
        return got
    if type(got) in (int, float):
        return torch.tensor(got, dtype=torch.float64)
    if isinstance(got, (list, tuple)):
        try:
            return torch.tensor(got, dtype=torch.float64)
        except (TypeError, ValueError, RuntimeError):
            pass
    raise CheckFailed(f"{name}: expected numbers, got {show(got)}.")


def _same_dtype(got: torch.Tensor, expected: torch.Tensor, name: str) -> None:
    if got.dtype != expected.dtype:
        _differ(name, "dtype", str(expected.dtype), str(got.dtype))


def _same_shape(got: torch.Tensor, expected: torch.Tensor, name: str) -> None:
    if got.shape != expected.shape:
        scalar = " (a scalar)" if expected.dim() == 0 else ""
        _differ(name, "shape", f"{list(expected.shape)}{scalar}", str(list(got.shape)))


def _differ(name: str, what: str, expected: str, got: str) -> None:
    details = {"kind": "value", "what": what, "where": name, "expected": expected, "got": got}
    raise CheckFailed(f"{name}: expected {what} {expected}, got {got}.", details)


def _report(
    got: torch.Tensor,
    expected: torch.Tensor,
    wrong: torch.Tensor,
    what: str,
    where: str,
    dtype: str,
    allowed: float,
    margin: dict[str, float] | None = None,
) -> None:
    index = tuple(int(place) for place in wrong.nonzero()[0])
    first_got, first_expected = got[index].item(), expected[index].item()
    left, right = _pair(float(first_got), float(first_expected))
    differing, entries = int(wrong.sum()), wrong.numel()
    name = _name(what, where)
    at = f" at {list(index)}" if index else ""
    message = f"{name}{at}: expected {right}, got {left}"
    if allowed and math.isfinite(first_got) and math.isfinite(first_expected):
        message += f"; off by {number(abs(first_got - first_expected), 3)}, allowed {number(allowed, 2)}"
    message += "."
    if entries > 1:
        message += f" {differing} of {entries} entries differ."
    small = entries <= MAX_TABLE_ENTRIES
    details = {
        "kind": "comparison",
        "what": what,
        "where": where,
        "shape": list(got.shape),
        "dtype": dtype.removeprefix("torch."),
        "expected": _nested(expected, plain) if small else None,
        "got": _nested(got, plain) if small else None,
        "differs": _nested(wrong, bool) if small else None,
        "first": {"index": list(index), "expected": plain(first_expected), "got": plain(first_got)},
        "differing": differing,
        "entries": entries,
        "allowed": allowed,
        "margin": {name: plain(value) for name, value in margin.items()} if margin else None,
    }
    raise CheckFailed(message, details)


def plain(value: Any) -> Any:
    """A number for JSON, which has none for those that are not finite."""
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


def _nested(tensor: torch.Tensor, convert: Callable[[Any], Any]) -> Any:
    def walk(part: Any) -> Any:
        return [walk(item) for item in part] if isinstance(part, list) else convert(part)

    return walk(tensor.tolist())
