"""What a known mistake looks like from outside: which checks it fails, and with which values.

A mistake is judged more than once, with different seeds. What is the same every time belongs to the mistake, and makes
its signature; what changes came from the inputs that a check drew. So a signature is compared with any run of a
learner, whatever its seed was. It holds no line of the file: neither code nor places in it.
"""

import dataclasses
import enum
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from sandbox.protocol import Status

FORMAT = 1
"""Counts changes of what a signature holds: those of an older format are made again."""

_RAISED = re.compile(
    r"(?P<who>.*?) raised (?P<type>[\w.]+)(?: at line (?P<line>\d+) of your file)?(?:: (?P<text>.*)|\.)"
)
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)(?![\w])")
_PRINTED_DIGITS, _SENT_DIGITS = 2e-5, 1e-6
"""Relative differences that equal numbers may have: a message shows six digits, details show all, but two ways to
compute a wrong value round differently."""
_FLOAT32_DIGITS = 1e-4
_SMALL = -2.5
"""Values that are wrong by less than 10 to this power (relative) are wrong by rounding: their digits say nothing."""


class ResultOfCheck(Protocol):
    """The part of a check's result that is read here: of the sandbox's, or of a stored one."""

    @property
    def status(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def details(self) -> Mapping[str, Any] | None: ...


class Agreement(enum.IntEnum):
    """How far a failure of a learner looks like that of a mistake."""

    NONE = 0
    KIND = 1
    """The same thing failed in the same way, with other values."""
    CAUSE = 2
    """An exception of the same type, raised in one place in just the same checks; only its text differs."""
    VALUES = 3


@dataclasses.dataclass(frozen=True)
class Failure:
    """How one check did not pass, as far as runs can be compared. In a signature, None stands for what changes."""

    kind: str | None
    """What failed and how, in words without numbers."""
    text: str | None = ""
    """The text of an exception, without numbers."""
    numbers: tuple[float | None, ...] = ()
    """Values that came."""
    relations: tuple[float | None, ...] = ()
    """Difference and quotient of what came and what was expected: they may stay when the inputs change."""
    size: float | None = None
    """Power of ten of the relative error, where numbers were compared."""
    digits: float = _PRINTED_DIGITS

    @property
    def tells_values(self) -> bool:
        """Whether agreeing with this says more than that the same check failed."""
        if self.kind is None:
            return False
        known = any(number is not None for number in (*self.numbers, *self.relations))
        return known or self.is_rounding or (self.size is None and not self.kind.startswith("comparison"))

    @property
    def is_exception(self) -> bool:
        return self.kind is not None and self.kind.startswith("raised ")

    @property
    def is_left_out(self) -> bool:
        """Whether it failed because a function is not written yet."""
        return self.kind is not None and "raised NotImplementedError " in self.kind

    @property
    def is_rounding(self) -> bool:
        return self.size is not None and self.size < _SMALL

    def agreement(self, other: "Failure") -> Agreement:
        """How far `other`, of a single run, looks like this."""
        if self.kind is None:
            return Agreement.KIND
        if self.kind != other.kind:
            return Agreement.NONE
        if self.text is not None and self.text != other.text:
            return Agreement.KIND
        if self.is_rounding:
            return Agreement.VALUES if _is_near(self.size, other.size) else Agreement.KIND
        tolerance = max(self.digits, other.digits)
        numbers = _agree(self.numbers, other.numbers, tolerance)
        return Agreement.VALUES if numbers and _agree(self.relations, other.relations, tolerance) else Agreement.KIND

    def common(self, other: "Failure") -> "Failure":
        """What both have in common: the part of a failure that does not depend on drawn inputs."""
        if self.kind != other.kind:
            return Failure(None, None)
        tolerance = max(self.digits, other.digits)
        numbers = _common(self.numbers, other.numbers, tolerance)
        fixed = any(number is not None for number in numbers)
        relations = () if fixed else _common(self.relations, other.relations, tolerance)
        size = self.size if _is_near(self.size, other.size) else None
        return Failure(self.kind, self.text if self.text == other.text else None, numbers, relations, size, tolerance)


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a known mistake fails."""

    mistake: str
    """The file of the mistake in its package."""
    always: Mapping[str, Failure]
    """Check -> what its failures have in common, for the checks that it failed in every run."""
    sometimes: frozenset[str]
    """Checks that it failed in some runs only."""

    @classmethod
    def of_runs(cls, mistake: str, runs: Sequence[Mapping[str, Failure]]) -> "Signature":
        """From the failures of each of several runs with different seeds."""
        first, *rest = runs
        always = {}
        for check, failure in first.items():
            if all(check in run for run in rest):
                for run in rest:
                    failure = failure.common(run[check])
                always[check] = failure
        return cls(mistake, always, frozenset().union(*runs) - always.keys())

    @property
    def checks(self) -> frozenset[str]:
        """All that it may fail."""
        return self.sometimes | self.always.keys()

    def as_json(self) -> dict[str, Any]:
        always = {check: _to_json(failure) for check, failure in self.always.items()}
        return {"mistake": self.mistake, "always": always, "sometimes": sorted(self.sometimes)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Signature":
        always = {check: _from_json(failure) for check, failure in values["always"].items()}
        return cls(values["mistake"], always, frozenset(values["sometimes"]))


def failures(results: Iterable[tuple[str, ResultOfCheck]]) -> dict[str, Failure]:
    """Check -> how it failed, for those of `results` that ran and did not pass."""
    told_nothing = (Status.PASSED, Status.NOT_RUN, Status.JUDGE_ERROR)
    return {check: failure_of(result) for check, result in results if result.status not in told_nothing}


def failure_of(result: ResultOfCheck) -> Failure:
    """What can be compared of a check that did not pass."""
    if result.details is not None and result.details.get("kind") == "comparison":
        return _compared(result.details)
    message = result.message.partition("\n")[0]
    raised = _RAISED.fullmatch(message) if result.status == Status.RUNTIME_ERROR else None
    if raised is not None:
        text, numbers = _without_numbers(raised["text"] or "")
        return Failure(f"raised {raised['type']} in {raised['who']}", text, numbers)
    words, numbers = _without_numbers(message)
    return Failure(f"{result.status}: {words}", "", numbers)


def place_of_error(result: ResultOfCheck) -> str | None:
    """Type, line and text of the exception that ended a check: equal ones in two checks have one cause."""
    raised = _RAISED.fullmatch(result.message.partition("\n")[0]) if result.status == Status.RUNTIME_ERROR else None
    if raised is None:
        return None
    return f"{raised['type']} {raised['line']} {_without_numbers(raised['text'] or '')[0]}"


def _compared(details: Mapping[str, Any]) -> Failure:
    first = details["first"]
    got, expected = float(first["got"]), float(first["expected"])
    numbers = tuple(_flat(details["got"])) if details["got"] is not None else (*map(float, first["index"]), got)
    kind = f"comparison of {details['what']}, {details['where']}, shape {details['shape']}"
    if not math.isfinite(got) or not math.isfinite(expected):
        return Failure(kind, "", numbers, (), None, _digits(details))
    quotient = got / expected if expected else math.inf
    error = abs(got - expected) / max(abs(got), abs(expected), 1e-300)
    size = math.log10(error) if error else None
    return Failure(kind, "", numbers, (got - expected, quotient), size, _digits(details))


def _digits(details: Mapping[str, Any]) -> float:
    return _SENT_DIGITS if details["dtype"] in ("float64", "int64", None) else _FLOAT32_DIGITS


def _flat(values: Any) -> list[float]:
    if isinstance(values, list):
        return [number for value in values for number in _flat(value)]
    return [float(values)]


def _without_numbers(text: str) -> tuple[str, tuple[float, ...]]:
    return _NUMBER.sub("#", text), tuple(float(number) for number in _NUMBER.findall(text))


def _is_near(left: float | None, right: float | None) -> bool:
    """Whether two sizes of errors are about the same."""
    return left is not None and right is not None and abs(left - right) <= 1.0


def _same(left: float, right: float, tolerance: float) -> bool:
    if not (math.isfinite(left) and math.isfinite(right)):
        return left == right or (math.isnan(left) and math.isnan(right))
    return abs(left - right) <= tolerance * max(abs(left), abs(right)) + 1e-9


def _agree(pattern: Sequence[float | None], numbers: Sequence[float | None], tolerance: float) -> bool:
    """Whether `numbers` have the values of `pattern` wherever it has one."""
    if all(wanted is None for wanted in pattern):
        return True
    return len(pattern) == len(numbers) and all(
        wanted is None or (number is not None and _same(wanted, number, tolerance))
        for wanted, number in zip(pattern, numbers, strict=True)
    )


def _common(left: Sequence[float | None], right: Sequence[float | None], tolerance: float) -> tuple[float | None, ...]:
    if len(left) != len(right):
        return ()
    return tuple(
        one if one is not None and other is not None and _same(one, other, tolerance) else None
        for one, other in zip(left, right, strict=True)
    )


def _to_json(failure: Failure) -> dict[str, Any]:
    values = dataclasses.asdict(failure)
    for name in ("numbers", "relations"):
        values[name] = [_plain(number) for number in values[name]]
    return values


def _from_json(values: Mapping[str, Any]) -> Failure:
    lists = {name: tuple(_number(item) for item in values[name]) for name in ("numbers", "relations")}
    return Failure(**{**values, **lists})


def _plain(number: float | None) -> Any:
    """A number for JSON, which has none for those that are not finite."""
    return number if number is None or math.isfinite(number) else str(number)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
