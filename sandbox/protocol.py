"""What crosses between a worker and the sandbox server: one `Job` in, a stream of `Event` out.

Everything here is a frozen dataclass of plain values, so that it can be sent as JSON. `to_wire` and `from_wire` are the
only conversions; both sides refuse what they do not know. `judge/` imports this module and `sandbox.client`, no other.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import types
import typing
from collections.abc import Hashable, Mapping
from typing import Any

MAX_SUBMISSION_BYTES = 64 * 1024
"""The largest submission that is judged; the web refuses a larger one before it is stored."""


WALL_FACTOR = 3.0
"""Wall time is limited to so many times the CPU time. Time in which the machine had no core free does not count."""
BUSY_FACTOR = 12.0
"""The end of all patience with a busy machine: wall time, as so many times the CPU time."""


class ProtocolError(ValueError):
    """What arrived is not what this protocol describes. The message names the field."""


class Verdict(enum.StrEnum):
    """How a whole submission ended."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    SANDBOX_VIOLATION = "sandbox_violation"
    JUDGE_ERROR = "judge_error"


class Status(enum.StrEnum):
    """How one check ended. `NOT_RUN` checks follow a submission that did not load, or a spent time budget."""

    PASSED = "passed"
    FAILED = "failed"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    SANDBOX_VIOLATION = "sandbox_violation"
    NOT_RUN = "not_run"
    JUDGE_ERROR = "judge_error"


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one submission may use, from `[limits]` of its problem."""

    check_seconds: float = 2.0
    """CPU time of the submission in one check, over all its threads; a slower one costs that check alone."""
    total_seconds: float = 15.0
    """CPU time of the submission in all checks together; when it is spent, the rest is not run."""
    memory_mb: int = 512
    """Address space in MiB beyond what the runtime itself maps."""
    output_kb: int = 64
    """KiB that may be printed during one check before the run is stopped."""


@dataclasses.dataclass(frozen=True)
class Package:
    """The parts of a problem package that judging needs."""

    slug: str
    version: str
    """The hash of the whole package: equal versions have equal checks, so a checker template is kept by it."""
    functions: Mapping[str, str]
    """What the submission must define: name -> type of the result, such as `Tensor` or `(Tensor, int)`."""
    checks: Mapping[str, str]
    """File name -> text of the hidden checks: all of `checks/`, helper modules too."""
    supplied: Mapping[str, str]
    """File name -> text of the modules beside the submission in its jail, such as `experiment.py`."""
    rehearsal: str = ""
    """A right submission, with which the checks are run once when they are collected, so that no submission pays for
    their first time. It reaches the checker's template and nothing else; empty where there is none."""


@dataclasses.dataclass(frozen=True)
class Job:
    """One submission to judge."""

    id: str
    """Any text that finds the job in logs; it has no meaning to the sandbox."""
    submission: str
    package: Package
    limits: Limits = Limits()
    seed: int = 0
    """Seeds the inputs that checks draw (`rng`); the same seed gives the same inputs."""
    owner: str = ""
    """Whose job this is: waiting jobs are served in turn by owner."""
    threads: int = 1
    """Threads that torch may use in the solution jail, unless a check asks for another number."""
    record: bool = False
    """Whether passed checks tell how near they came to their tolerance: for verifying a package."""


@dataclasses.dataclass(frozen=True)
class CheckInfo:
    """What is known of a check before it runs."""

    id: str
    title: str
    section: str
    """The id of a section of the statement."""
    sentence: str | None
    """The id of the sentence of the statement that the check stands for."""
    required: bool


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """How one check ended, with all that a report shows of it."""

    id: str
    status: Status
    message: str = ""
    """Expected, got, and where; plain text with line breaks. Empty for a passed check."""
    hint: str = ""
    """Markdown; empty for a passed check."""
    details: Mapping[str, Any] | None = None
    """A comparison as data: see `sandbox.checks.close`. None for a passed check, unless the job records margins. Under
    `trajectory`, for passed checks too, what a check kept of a supplied run: see `sandbox.trajectory`."""
    printed: str = ""
    """What the submission printed during this check, cut at a limit that is said in the text."""
    ms: float = 0.0


@dataclasses.dataclass(frozen=True)
class Queued:
    """The job waits; `place` 1 is next."""

    place: int


@dataclasses.dataclass(frozen=True)
class Started:
    """The jails are up; these checks will be reported, in this order."""

    checks: tuple[CheckInfo, ...]


@dataclasses.dataclass(frozen=True)
class CheckFinished:
    result: CheckResult


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The last event of a job."""

    verdict: Verdict
    message: str = ""
    """One or two sentences about the whole run where there is more to say than the checks say: a syntax error with its
    line, a file that did not finish loading. For `judge_error`, what an operator needs to know."""
    line: int | None = None
    """The line of the submission that `message` speaks of."""
    printed: str = ""
    """What was printed while the submission was loaded, cut at a limit that is said in the text."""
    ms: float = 0.0
    """Wall time from taking the job out of the queue to this event."""


Event = Queued | Started | CheckFinished | Outcome

_EVENTS: dict[str, type[Any]] = {
    "queued": Queued,
    "started": Started,
    "check": CheckFinished,
    "outcome": Outcome,
}
_NAMES = {kind: name for name, kind in _EVENTS.items()}


def to_wire(value: Job | Event) -> dict[str, Any]:
    """The JSON object that stands for a job or an event."""
    wire = dataclasses.asdict(value)
    if not isinstance(value, Job):
        wire["event"] = _NAMES[type(value)]
    return wire


def job_from_wire(wire: Any) -> Job:
    """The inverse of `to_wire` for a job. Raises `ProtocolError`."""
    return typing.cast(Job, _build(Job, wire, "job"))


def event_from_wire(wire: Any) -> Event:
    """The inverse of `to_wire` for an event. Raises `ProtocolError`."""
    if not isinstance(wire, dict):
        raise ProtocolError(f"an event must be an object, not {type(wire).__name__}")
    name = wire.get("event")
    if not isinstance(name, str) or name not in _EVENTS:
        raise ProtocolError(f"unknown event {name!r}")
    kind = _EVENTS[name]
    return typing.cast(Event, _build(kind, {key: item for key, item in wire.items() if key != "event"}, name))


@functools.cache
def _type_hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _build(kind: Any, wire: Any, where: str) -> Any:
    """`wire` as an instance of the annotated type `kind`, checked all the way down."""
    origin = typing.get_origin(kind)
    if kind is Any:
        return wire
    if dataclasses.is_dataclass(kind):
        return _build_dataclass(typing.cast(type[Any], kind), wire, where)
    if origin in (typing.Union, types.UnionType):
        if wire is None and type(None) in typing.get_args(kind):
            return None
        (kind,) = [part for part in typing.get_args(kind) if part is not type(None)]
        return _build(kind, wire, where)
    if origin is tuple:
        if not isinstance(wire, (list, tuple)):
            raise ProtocolError(f"{where} must be a list")
        (item, _) = typing.get_args(kind)
        return tuple(_build(item, part, f"{where}[{index}]") for index, part in enumerate(wire))
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(wire, dict) or not all(isinstance(key, str) for key in wire):
            raise ProtocolError(f"{where} must be an object")
        item = typing.get_args(kind)[1]
        return {key: _build(item, part, f"{where}.{key}") for key, part in wire.items()}
    if issubclass(kind, enum.StrEnum):
        try:
            return kind(wire)
        except ValueError:
            raise ProtocolError(f"{where} has the unknown value {wire!r}") from None
    if kind is float and type(wire) is int and abs(wire) < 2**53:
        return float(wire)
    if type(wire) is not kind:
        raise ProtocolError(f"{where} must be {kind.__name__}, not {type(wire).__name__}")
    return wire


def _build_dataclass(kind: type[Any], wire: Any, where: str) -> Any:
    if not isinstance(wire, dict):
        raise ProtocolError(f"{where} must be an object")
    hints = _type_hints(typing.cast(Hashable, kind))
    fields = {field.name: field for field in dataclasses.fields(kind)}
    for name in wire:
        if name not in fields:
            raise ProtocolError(f"{where} has the unknown field {name!r}")
    values = {}
    for name, field in fields.items():
        if name in wire:
            values[name] = _build(hints[name], wire[name], f"{where}.{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ProtocolError(f"{where} lacks the field {name!r}")
    return kind(**values)
