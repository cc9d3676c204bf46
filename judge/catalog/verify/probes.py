"""Checks are probed with functions that return something odd: each must say what it got, and none may break.

A probe is the reference with one function wrapped, so that refusals and everything else stay as they are. *Another
value* is the control: a check that notices it compares values, and must then notice as well that there is none.
"""

import dataclasses
import re
from collections.abc import Sequence

from judge.catalog.checkfiles import CheckPlaces
from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint, Severity
from judge.catalog.verify.jobs import Judged, Task
from judge.catalog.verify.results import ProbeResult
from sandbox.protocol import Status

CONTROL = "another value"
_NO_VALUE = {"NaN", "an empty tensor", "None", "a float"}
"""Probes that whatever notices another value must notice too."""

TENSORS = {
    CONTROL: "tensor * 2 + 1 if tensor.dtype != torch.bool else ~tensor",
    "NaN": "tensor * math.nan if tensor.is_floating_point() else tensor",
    "a wrong shape": "tensor[None]",
    "a wrong dtype": "tensor.to(torch.float32 if tensor.dtype == torch.float64 else torch.float64)",
    "a tensor subclass": "tensor.as_subclass(Subclass)",
    "an empty tensor": "tensor.new_empty(0)",
}
"""What becomes of every tensor in the result."""
NUMBERS = {
    "another number": "not number if type(number) is bool else number + 1",
    "a bool for a number": "bool(number)",
    "a tensor for a number": "torch.tensor(number)",
}
"""What becomes of every number in the result."""
WHOLE = {"None": "None", "a float": "0.5"}
"""What is returned instead of the result; of a module, instead of what its `forward` returns."""

_WRAPPER = """

def __probe():
    import math

    import torch

    class Subclass(torch.Tensor):
        pass

    def odd(value):
        if isinstance(value, torch.Tensor):
            return of_tensor(value)
        if isinstance(value, (bool, int, float)):
            return of_number(value)
        if isinstance(value, (tuple, list)):
            return type(value)(map(odd, value))
        if isinstance(value, dict):
            return {{name: odd(part) for name, part in value.items()}}
        return value

    def of_tensor(tensor):
        return {tensor}

    def of_number(number):
        return {number}

    original = {function}
    if isinstance(original, type):

        class Probed(original):
            def forward(self, *args, **kwargs):
                value = super().forward(*args, **kwargs)
                return {whole}

        Probed.__name__ = original.__name__
        return Probed

    def probed(*args, **kwargs):
        value = original(*args, **kwargs)
        return {whole}

    return probed


{function} = __probe()
"""
_NO_MODULE = """

def {function}(*args, **kwargs):
    return None
"""
_UNREADABLE = re.compile(r"Traceback|<[\w.]+ object at|0x[0-9a-f]{6,}|<built-in")
_LONGEST = 1500
"""Characters of a message that somebody still reads."""


@dataclasses.dataclass(frozen=True)
class Probe:
    function: str
    name: str
    source: str
    strict: bool
    """Whether the checks must refuse it; not known for a function that may return anything."""


def probes_of(package: ProblemPackage) -> list[Probe]:
    probes = []
    for function, declared in package.functions.items():
        anything = bool(re.search(r"\b(Any|list|dict|tuple)\b", declared))
        if anything or re.search(r"\b(Tensor|Module)\b", declared):
            for name, expression in TENSORS.items():
                probes.append(_probe(package, function, name, strict=not anything, tensor=expression))
        if anything or re.search(r"\b(int|float)\b", declared):
            for name, expression in NUMBERS.items():
                probes.append(_probe(package, function, name, strict=not anything, number=expression))
        for name, expression in WHOLE.items():
            if name != declared.strip():
                probes.append(_probe(package, function, name, strict=declared != "Any", whole=expression))
        if re.search(r"\bModule\b", declared):
            probes.append(Probe(function, "no module", package.reference + _NO_MODULE.format(function=function), True))
    return probes


def _probe(
    package: ProblemPackage,
    function: str,
    name: str,
    *,
    strict: bool,
    tensor: str = "tensor",
    number: str = "number",
    whole: str = "odd(value)",
) -> Probe:
    wrapper = _WRAPPER.format(function=function, tensor=tensor, number=number, whole=whole)
    return Probe(function, name, package.reference + wrapper, strict)


def probe_tasks(probes: Sequence[Probe]) -> list[Task]:
    return [Task(f"{probe.function} returning {probe.name}", probe.source) for probe in probes]


def assess_probes(
    package: ProblemPackage, probes: Sequence[Probe], judged: Sequence[Judged]
) -> tuple[list[ProbeResult], list[Complaint]]:
    places = CheckPlaces(package.folder("checks"))
    results, complaints = [], []
    for probe, run in zip(probes, judged, strict=True):
        results.append(ProbeResult(probe.function, probe.name, run.verdict, run.failed))
        complaints += _complaints(places, probe, run)
    complaints += _blind(places, results)
    return results, complaints


def _complaints(places: CheckPlaces, probe: Probe, run: Judged) -> list[Complaint]:
    when = f"when {probe.function} returns {probe.name}"
    if run.fault:
        return []
    if run.is_accepted:
        severity = Severity.ERROR if probe.strict else Severity.WARNING
        return [
            Complaint("checks/", f"everything passes {when}", "add a required check that notices it", severity=severity)
        ]
    complaints = []
    for result in run.results:
        if result.id not in run.failed:
            continue
        if result.status not in (Status.FAILED, Status.RUNTIME_ERROR):
            what = f"{result.id} ends as {result.status.replace('_', ' ')} {when}"
            remedy = "let nothing that repeats or grows depend on a returned value"
            complaints.append(places.complaint(result.id, what, remedy, Severity.WARNING))
        elif not _is_readable(result.message):
            what = f"{result.id} fails with a message that nobody can read {when}: {result.message[:200]!r}"
            complaints.append(places.complaint(result.id, what, "say in a sentence what was expected and what came"))
    return complaints


def _is_readable(message: str) -> bool:
    return bool(message.strip()) and len(message) <= _LONGEST and not _UNREADABLE.search(message)


def _blind(places: CheckPlaces, results: Sequence[ProbeResult]) -> list[Complaint]:
    """Complaints of checks that compare values, but pass when there is none: `not error > allowed` is true of NaN."""
    failed = {(result.function, result.probe): set(result.failed) for result in results}
    complaints = []
    for (function, probe), noticed in failed.items():
        if probe not in _NO_VALUE or (function, CONTROL) not in failed:
            continue
        for check in sorted(failed[function, CONTROL] - noticed):
            what = f"{check} passes when {function} returns {probe}, although it notices another value"
            remedy = "write comparisons so that it fails them (`error <= allowed`), or use close"
            complaints.append(places.complaint(check, what, remedy))
    return complaints
