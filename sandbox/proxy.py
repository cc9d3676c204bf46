"""The submission as a check sees it: functions and modules that run in another process, and what is seen of them."""

from __future__ import annotations

import dataclasses
from typing import Any, Protocol

import torch

from sandbox.compare import CheckFailed, show
from sandbox.declared import describe, type_complaint
from sandbox.protocol import Status
from sandbox.values import DTYPES, MAX_MESSAGE, MAX_TRACE, Handle

MAX_NAME = 200
"""Characters of a type's name, or of a line of code, that is passed on."""
MAX_BASES = 32
MAX_LINE = 1_000_000

_FORGED = "Your code wrote to the judge's own channel."


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
    trace: tuple[dict[str, str], ...]
    memory: bool

    @staticmethod
    def from_reply(reply: dict[str, Any]) -> Raised:
        """Cut to lengths that a report can show: the reply may be made up."""
        line = reply["line"]
        return Raised(
            type=str(reply["type"])[:MAX_NAME],
            bases=tuple(str(base)[:MAX_NAME] for base in reply["bases"][:MAX_BASES]),
            message=str(reply["message"])[:MAX_MESSAGE],
            line=line if type(line) is int and 0 < line <= MAX_LINE else None,
            trace=tuple(
                {name: str(frame.get(name))[:MAX_NAME] for name in ("file", "line", "in", "code")}
                for frame in reply["trace"][-MAX_TRACE:]
                if isinstance(frame, dict)
            ),
            memory=bool(reply["memory"]),
        )

    def sentence(self, who: str) -> str:
        """What happened, for the learner: type, text, line, and the lines that led there."""
        at = f" at line {self.line} of your file" if self.line else ""
        text = f"{who} raised {self.type}{at}" + (f": {self.message}" if self.message else ".")
        for frame in self.trace if len(self.trace) > 1 else ():
            text += f"\n  {frame['file']}:{frame['line']} in {frame['in']}: {frame['code']}"
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
        on: int | None = None,
        operation: str = "call",
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

    def __init__(self, function: str, reply: Reply, value: Any) -> None:
        self._function = function
        self._observed = reply.observed
        self._arguments: list[torch.Tensor] = reply.observed["arguments"]
        self.value: Any = value
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
    """Something of the submission that can be called."""

    def __init__(
        self, caller: Caller, name: str | None, declared: str, *, on: int | None = None, shown: str = ""
    ) -> None:
        self._caller = caller
        self._name = name
        self._declared = declared
        self._on = on
        self._shown = shown or str(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._value(self._caller.call(self._name, _sent(args), _sent(kwargs), on=self._on))

    def on_threads(self, threads: int, *args: Any, **kwargs: Any) -> Any:
        """Calls while torch may use so many threads, and every core for them."""
        reply = self._caller.call(self._name, _sent(args), _sent(kwargs), threads=threads, on=self._on)
        return self._value(reply)

    def run(self, *args: Any, backward: bool | torch.Tensor = False, **kwargs: Any) -> Run:
        """Calls and observes. With `backward`, gradients are computed from the first returned tensor: True for a
        scalar, or the cotangent."""
        reply = self._caller.call(self._name, _sent(args), _sent(kwargs), observe=True, backward=backward, on=self._on)
        return Run(self._shown, reply, self._value(reply))

    def refuses(self, *args: Any, **kwargs: Any) -> None:
        """Fails the check unless the call raises `TypeError` or `ValueError`."""
        reply = self._caller.call(self._name, _sent(args), _sent(kwargs), on=self._on)
        if reply.raised is None:
            must = f"{self._shown_call(args, kwargs)} must raise TypeError or ValueError"
            raise CheckFailed(f"{must}; it returned {describe(reply.value)}.")
        if reply.raised.memory or not {"TypeError", "ValueError"} & set(reply.raised.bases):
            must = f"{self._shown_call(args, kwargs)} must raise TypeError or ValueError"
            raise CheckFailed(f"{must}. " + reply.raised.sentence(f"Instead {self._shown}"))

    def _shown_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        shown = [show(item) for item in args] + [f"{name}={show(item)}" for name, item in kwargs.items()]
        return f"{self._shown}({', '.join(shown)})"

    def _value(self, reply: Reply) -> Any:
        if reply.raised is not None:
            _end(reply.raised, self._shown)
        complaint = type_complaint(reply.value, self._declared)
        if complaint:
            details = {
                "kind": "value",
                "what": "type",
                "where": self._shown,
                "expected": self._declared,
                "got": complaint,
            }
            raise CheckFailed(f"{self._shown} must return {self._declared}; it returned {complaint}.", details)
        return Module(self._caller, reply.value, self._shown) if isinstance(reply.value, Handle) else reply.value


@dataclasses.dataclass(frozen=True)
class ModuleParameter:
    """A parameter of a module of the submission."""

    value: torch.Tensor
    requires_grad: bool
    grad: torch.Tensor | None


class Module:
    """A `torch.nn.Module` that the submission made; it stays in the solution jail, and lives as long as the check."""

    def __init__(self, caller: Caller, handle: Handle, shown: str) -> None:
        self._caller = caller
        self._handle = handle
        self._shown = shown
        self._forward = Function(caller, None, "Tensor", on=handle.place, shown=f"The {shown}")
        self.run = self._forward.run
        self.refuses = self._forward.refuses

    def __repr__(self) -> str:
        """As messages show it among the arguments of a call."""
        return f"a {self._shown}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._forward(*args, **kwargs)

    def call(self, method: str, *args: Any, returns: str = "Any", **kwargs: Any) -> Any:
        """Calls a method, whose result must be of the type `returns`, written as in `[functions]`."""
        shown = f"{self._shown}.{method}"
        return Function(self._caller, method, returns, on=self._handle.place, shown=shown)(*args, **kwargs)

    def attribute(self, name: str) -> Any:
        """The value of an attribute."""
        return self._ask("attribute", name=name)

    def parameters(self) -> dict[str, ModuleParameter]:
        """The parameters by name, in the order of `named_parameters`."""
        found = self._ask("parameters")
        try:
            return {
                str(name): ModuleParameter(value, bool(needs), grad) for name, (value, needs, grad) in found.items()
            }
        except (TypeError, ValueError, AttributeError):
            raise SolutionEnded(Status.SANDBOX_VIOLATION, _FORGED) from None

    def buffers(self) -> dict[str, torch.Tensor]:
        """The buffers by name."""
        found = self._ask("buffers")
        if not isinstance(found, dict):
            raise SolutionEnded(Status.SANDBOX_VIOLATION, _FORGED)
        return found

    def assign(self, values: dict[str, torch.Tensor]) -> None:
        """Copies values into parameters and buffers, in place."""
        self._ask("assign", values)

    def _ask(self, operation: str, *args: Any, name: str | None = None) -> Any:
        reply = self._caller.call(name, args, {}, on=self._handle.place, operation=operation)
        if reply.raised is not None:
            _end(reply.raised, f"{operation.capitalize()} of the {self._shown}")
        return reply.value


def _sent(values: Any) -> Any:
    """Arguments as they are sent: a module by its handle."""
    if isinstance(values, Module):
        return values._handle
    if type(values) in (list, tuple):
        return type(values)(_sent(value) for value in values)
    if type(values) is dict:
        return {name: _sent(value) for name, value in values.items()}
    return values


class Solution:
    """The submission, as a check sees it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_") or name not in self._caller.functions:
            raise AttributeError(f"[functions] of problem.toml does not name {name!r}")
        return Function(self._caller, name, self._caller.functions[name])

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
