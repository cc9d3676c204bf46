"""What authors of checks import: `from sandbox.checks import check, close`.

    @check("Denominator includes the positive", section="loss", sentence="denominator", hint="...")
    def test_hand_denominator(solution):
        loss = solution.moco_loss(q, k, queue, temperature=0.5)
        close(loss, math.log(1 + math.exp(-4) + math.exp(-2)), what="loss")

`solution` stands for the submission, which runs in a process of its own. A call sends the arguments there, with dtype,
shape, strides, shared storage and `requires_grad` as they are, and gives back real tensors. What the submission does
wrong on the way (it raises, takes too long, returns another type) ends the check with the right status and message;
an author handles none of it.

- `solution.f(...)`: the value, its type already compared with `[functions]` of problem.toml.
- `solution.f.run(..., backward=True)`: a `Run`: the value, gradients, what changed, what shares memory.
- `solution.f.refuses(...)`: the check that a broken contract raises `TypeError` or `ValueError`.
- `solution.experiment(...)`: what the package's `experiment.py` returned, run with the submission's functions.

`rng` is a second fixture: a `torch.Generator`, seeded from the job's seed and the check's id.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import torch

from sandbox.compare import CheckFailed, close, ensure, equal, fail, show, tolerance
from sandbox.protocol import Status
from sandbox.values import DTYPES, Opaque

__all__ = ["CheckFailed", "Run", "check", "close", "ensure", "equal", "fail", "tolerance"]

_Test = TypeVar("_Test", bound=Callable[..., None])


@dataclasses.dataclass(frozen=True)
class Mark:
    """What `check` says of a test function."""

    title: str
    section: str
    sentence: str | None
    hint: str
    required: bool


def check(
    title: str, *, section: str, sentence: str | None = None, hint: str = "", required: bool = True
) -> Callable[[_Test], _Test]:
    """Makes a test function a check.

    Args:
        title: what holds when it passes, as a learner reads it in the report.
        section: the id of the section of the statement that it belongs to.
        sentence: the id of the sentence of the statement that it stands for.
        hint: Markdown that helps without giving the code; folded until the learner asks.
        required: whether a submission must pass it to be accepted.
    """

    def mark(test: _Test) -> _Test:
        setattr(test, "check_mark", Mark(title, section, sentence, hint, required))  # noqa: B010
        return test

    return mark


class SolutionEnded(BaseException):
    """The submission did not get as far as a value. It is no `Exception`, so that no check swallows it by accident."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclasses.dataclass(frozen=True)
class Raised:
    """An exception that the submission raised."""

    type: str
    bases: tuple[str, ...]
    message: str
    line: int | None
    trace: tuple[dict[str, Any], ...]
    memory: bool

    @staticmethod
    def from_reply(reply: dict[str, Any]) -> Raised:
        return Raised(
            type=str(reply["type"]),
            bases=tuple(map(str, reply["bases"])),
            message=str(reply["message"]),
            line=reply["line"] if type(reply["line"]) is int else None,
            trace=tuple(frame for frame in reply["trace"] if isinstance(frame, dict)),
            memory=bool(reply["memory"]),
        )

    def sentence(self, who: str) -> str:
        """What happened, for the learner: type, text, line, and the lines that led there."""
        at = f" at line {self.line} of your file" if self.line else ""
        text = f"{who} raised {self.type}{at}" + (f": {self.message}" if self.message else ".")
        for frame in self.trace if len(self.trace) > 1 else ():
            text += f"\n  {frame.get('file')}:{frame.get('line')} in {frame.get('in')}: {frame.get('code')}"
        return text


@dataclasses.dataclass(frozen=True)
class Reply:
    """What came back from one call: a value with what was observed, or what was raised."""

    value: Any
    raised: Raised | None
    observed: dict[str, Any]
    ms: float
    printed: int
    """Bytes that the submission has printed until then."""


class Caller(Protocol):
    """The way into the solution jail. `sandbox.checker` has the real one."""

    functions: dict[str, str]

    def call(
        self,
        name: str | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        backward: bool | torch.Tensor = False,
        threads: int | None = None,
    ) -> Reply: ...


@dataclasses.dataclass(frozen=True)
class Facts:
    """What is known of a returned tensor besides its values."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    requires_grad: bool
    is_leaf: bool
    has_grad_fn: bool
    is_parameter: bool
    contiguous: bool

    @staticmethod
    def from_reply(fact: dict[str, Any]) -> Facts:
        """Raises `KeyError` or `TypeError` for what no solution jail of ours sends."""
        flags = ("requires_grad", "is_leaf", "has_grad_fn", "is_parameter", "contiguous")
        return Facts(
            DTYPES[fact["dtype"]], tuple(map(int, fact["shape"])), **{name: bool(fact[name]) for name in flags}
        )


class Run:
    """One call with all that was observed of it. Arguments are named by the tensor objects that were passed."""

    def __init__(self, function: str, reply: Reply) -> None:
        self._function = function
        self._observed = reply.observed
        self._arguments: list[torch.Tensor] = reply.observed["arguments"]
        self.value: Any = reply.value
        """What was returned, tensors detached."""
        self.ms: float = reply.ms
        self.outputs: tuple[Facts, ...] = tuple(reply.observed["facts"])
        """Facts of each returned tensor, in order."""
        self.outputs_share_storage: bool = bool(reply.observed["outputs_share"])
        """Whether two returned tensors share memory."""

    def gradient(self, argument: torch.Tensor) -> torch.Tensor | None:
        """The `.grad` of an argument after backward; None if none reached it. Fails the check if backward failed."""
        raised: Raised | None = self._observed["backward_raised"]
        if raised is not None:
            raise CheckFailed(
                f"Gradients could not be computed from what {self._function} returned: {raised.type}: {raised.message}"
            )
        gradient = self._observed["gradients"][self._place(argument)]
        return gradient if isinstance(gradient, torch.Tensor) else None

    def changes(self, argument: torch.Tensor) -> str:
        """What the call changed of an argument, in words; empty if nothing."""
        return ", ".join(self._observed["changes"][self._place(argument)])

    def changed(self, argument: torch.Tensor) -> bool:
        """Whether values, shape, storage, `requires_grad` or `.grad` of an argument differ after the call."""
        return bool(self.changes(argument))

    def shares_storage(self, argument: torch.Tensor) -> bool:
        """Whether a returned tensor shares memory with an argument: by address, and by writing and reading again."""
        return bool(self._observed["shared"][self._place(argument)])

    def _place(self, argument: torch.Tensor) -> int:
        for place, known in enumerate(self._arguments):
            if known is argument:
                return place
        raise LookupError(f"that tensor was not an argument of this call of {self._function}")


class Function:
    """One function of the submission."""

    def __init__(self, caller: Caller, name: str) -> None:
        self._caller = caller
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        reply = self._caller.call(self._name, args, kwargs)
        return self._value(reply)

    def run(self, *args: Any, backward: bool | torch.Tensor = False, threads: int | None = None, **kwargs: Any) -> Run:
        """Calls and observes. With `backward`, gradients are computed from the first returned tensor: True for a
        scalar, or the cotangent. `threads` sets how many threads torch may use for the call."""
        reply = self._caller.call(self._name, args, kwargs, observe=True, backward=backward, threads=threads)
        self._value(reply)
        return Run(self._name, reply)

    def refuses(self, *args: Any, **kwargs: Any) -> None:
        """Fails the check unless the call raises `TypeError` or `ValueError`."""
        reply = self._caller.call(self._name, args, kwargs)
        shown = ", ".join([show(item) for item in args] + [f"{name}={show(item)}" for name, item in kwargs.items()])
        if reply.raised is None:
            raise CheckFailed(
                f"{self._name}({shown}) must raise TypeError or ValueError; it returned {_describe(reply.value)}."
            )
        if reply.raised.memory or not {"TypeError", "ValueError"} & set(reply.raised.bases):
            raise CheckFailed(
                f"{self._name}({shown}) must raise TypeError or ValueError. "
                + reply.raised.sentence(f"Instead {self._name}")
            )

    def _value(self, reply: Reply) -> Any:
        if reply.raised is not None:
            _end(reply.raised, self._name)
        declared = self._caller.functions[self._name]
        complaint = type_complaint(reply.value, declared)
        if complaint:
            details = {"kind": "value", "what": "type", "where": self._name, "expected": declared, "got": complaint}
            raise CheckFailed(f"{self._name} must return {declared}; it returned {complaint}.", details)
        return reply.value


class Solution:
    """The submission, as a check sees it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_") or name not in self._caller.functions:
            raise AttributeError(f"[functions] of problem.toml does not name {name!r}")
        return Function(self._caller, name)

    def experiment(self, **kwargs: Any) -> Any:
        """Runs the package's experiment with the submission's functions; returns what its `run` returned."""
        reply = self._caller.call(None, (), kwargs)
        if reply.raised is not None:
            _end(reply.raised, "The experiment")
        return reply.value


def _end(raised: Raised, who: str) -> None:
    if raised.memory:
        raise SolutionEnded(Status.MEMORY_LIMIT, f"{who} asked for more memory than it may use: {raised.message}")
    raise SolutionEnded(Status.RUNTIME_ERROR, raised.sentence(who))


def type_complaint(value: Any, declared: str) -> str:
    """What `value` is, in words, when it is not of the declared type; empty when it is."""
    declared = declared.strip()
    if declared == "Any":
        return ""
    if declared.startswith("("):
        parts = split_types(declared)
        if type(value) is not tuple or len(value) != len(parts):
            return _describe(value)
        return _describe(value) if any(map(type_complaint, value, parts)) else ""
    kinds = {"Tensor": torch.Tensor, "int": int, "float": float, "bool": bool, "str": str, "None": type(None)}
    kinds |= {"list": list, "dict": dict, "tuple": tuple}
    if declared not in kinds:
        raise LookupError(f"[functions] names the unknown type {declared!r}")
    return "" if type(value) is kinds[declared] else _describe(value)


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


def _describe(value: Any) -> str:
    """A value with its type: `a float (0.69)`, `a Parameter of shape [3]`, `None`."""
    if isinstance(value, Opaque):
        return value.description
    if value is None:
        return "None"
    if isinstance(value, torch.Tensor):
        return "a " + show(value)
    if type(value) is tuple:
        return "the tuple (" + ", ".join(_describe(item) for item in value[:6]) + ")"
    if isinstance(value, (list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    article = "an" if type(value).__name__[0] in "aeiou" else "a"
    return f"{article} {type(value).__name__} ({show(value)})"
