"""Whether tolerances separate right from wrong, and limits leave room: measured on what correct solutions need."""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.catalog.checkfiles import CheckPlaces
from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint, Severity
from judge.catalog.verify.jobs import Judged, Task
from judge.catalog.verify.results import Budget, Margin
from sandbox.protocol import CheckInfo, Status

MEMORY_STEPS = (4, 8, 16, 32)
"""The reference is run with the memory limit divided by each of these."""
_ROOM = 2.0
"""How much smaller than the tolerance an error must be, and how much larger a mistake's distance."""


@dataclasses.dataclass(frozen=True)
class _Seen:
    """The error of one file in one check, in absolute terms and in units of what is allowed."""

    file: str
    details: Mapping[str, Any]
    error: float
    allowed: float
    ratio: float


def assess_margins(
    package: ProblemPackage, checks: Sequence[CheckInfo], correct: Sequence[Judged], wrong: Sequence[Judged]
) -> tuple[list[Margin], list[Complaint]]:
    places = CheckPlaces(package.folder("checks"))
    margins: list[Margin] = []
    complaints: list[Complaint] = []
    errors, distances = _by_check(_errors(correct)), _by_check(_distances(wrong))
    for check in checks:
        if check.id not in errors:
            continue
        error = max(errors[check.id], key=lambda seen: seen.ratio)
        nearest = min(distances.get(check.id, []), key=lambda seen: seen.ratio, default=None)
        margin = Margin(
            check=check.id,
            what=str(error.details["what"]),
            where=str(error.details["where"]),
            dtype=str(error.details["dtype"]),
            allowed=error.allowed,
            error=error.error,
            error_ratio=error.ratio,
            error_file=error.file,
            distance=nearest.error if nearest else None,
            distance_ratio=nearest.ratio if nearest else None,
            distance_file=nearest.file if nearest else "",
        )
        margins.append(margin)
        if error.ratio * _ROOM > 1:
            what = f"{check.id} allows {error.allowed:.2g}, and {error.file} is off by {error.error:.2g}"
            remedy = f"allow at least {_ROOM:g} times the error of a correct solution"
            complaints.append(places.complaint(check.id, what, remedy, Severity.WARNING))
    complaints += _hardly_noticed(package, distances)
    return margins, complaints


def _hardly_noticed(package: ProblemPackage, distances: Mapping[str, Sequence[_Seen]]) -> Iterator[Complaint]:
    """Complaints of mistakes that a check must notice, and would not if a little more were allowed."""
    for mistake in package.mistakes:
        for check in mistake.fails:
            for seen in distances.get(check, ()):
                if seen.file == mistake.file and seen.ratio < _ROOM:
                    what = f"{check} hardly notices it: it is off by {seen.ratio:.2g} times what is allowed"
                    remedy = "choose inputs on which this mistake makes more of a difference, or allow less"
                    yield Complaint(mistake.file, what, remedy, severity=Severity.WARNING)


def _errors(correct: Sequence[Judged]) -> Iterator[tuple[str, _Seen]]:
    for run in correct:
        for result in run.results:
            details = result.details
            if result.status is Status.PASSED and details is not None and details["kind"] == "margin":
                yield result.id, _seen(run, details, details)


def _distances(wrong: Sequence[Judged]) -> Iterator[tuple[str, _Seen]]:
    """Of failed comparisons, those with a finite distance."""
    for run in wrong:
        for result in run.results:
            details = result.details
            if result.status is Status.FAILED and details is not None and details["kind"] == "comparison":
                margin = details["margin"]
                if margin is not None and all(isinstance(value, int | float) for value in margin.values()):
                    yield result.id, _seen(run, details, margin)


def _seen(run: Judged, details: Mapping[str, Any], margin: Mapping[str, Any]) -> _Seen:
    error, allowed, ratio = (float(margin[name]) for name in ("error", "allowed", "ratio"))
    return _Seen(run.task.name, details, error, allowed, ratio)


def _by_check(pairs: Iterator[tuple[str, _Seen]]) -> dict[str, list[_Seen]]:
    grouped: dict[str, list[_Seen]] = {}
    for check, seen in pairs:
        grouped.setdefault(check, []).append(seen)
    return grouped


def memory_tasks(package: ProblemPackage) -> list[Task]:
    return [
        Task(
            f"reference.py with 1/{step} of the memory",
            package.reference,
            limits=dataclasses.replace(package.limits, memory_mb=max(1, package.limits.memory_mb // step)),
        )
        for step in MEMORY_STEPS
    ]


def assess_budgets(package: ProblemPackage, correct: Sequence[Judged], memory: Sequence[Judged]) -> list[Budget]:
    """Time as the fastest of equal runs needed it, so that a busy machine counts little. Half of each limit is enough
    for every correct solution: `solutions` has asked that."""
    limits = package.limits
    slowest, slowest_ms = "", 0.0
    totals: dict[str, float] = {}
    times: dict[tuple[str, str], float] = {}
    for run in correct:
        if run.outcome is not None:
            totals[run.task.name] = min(totals.get(run.task.name, math.inf), run.outcome.ms)
        for result in run.results:
            key = run.task.name, result.id
            times[key] = min(times.get(key, math.inf), result.ms)
    for (file, check), ms in times.items():
        if ms > slowest_ms:
            slowest, slowest_ms = f"{check} of {file}", ms
    longest = max(totals, key=lambda file: totals[file])
    enough = [run.task.limits.memory_mb for run in memory if run.is_accepted and run.task.limits is not None]
    least = min(enough, default=limits.memory_mb // 2)
    return [
        Budget("check_seconds", limits.check_seconds, slowest_ms / 1e3, "s", slowest),
        Budget("total_seconds", limits.total_seconds, totals[longest] / 1e3, "s", longest),
        Budget("memory_mb", float(limits.memory_mb), float(least), "MiB", "reference.py passes with it"),
    ]
