"""Following a supplied run: every state against the judge's own, and both kept as data for the report.

    RUN = Trajectory(STATES, {"loss": "loss", "key_encoder": "key encoder"})

    @check("Twelve training steps", section="experiment")
    def test_trajectory(solution):
        RUN.follow(solution)

The judge's states are made into numbers once, when the checks are imported. A run that agrees is not sent a second
time, and one that doesn't only from the first step that differs: before it, both are the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from sandbox.compare import MAX_TABLE_ENTRIES, CheckFailed, close, equal, plain
from sandbox.proxy import Solution

MAX_NUMBERS = 20_000
"""So many numbers of the judge's run are kept at most; the largest states are left out first."""
_DIGITS = 10

Numbers = float | int | str | list[Any] | None

_kept: dict[str, Any] | None = None


def taken() -> dict[str, Any] | None:
    """What the check that has just ended keeps for the report, or None; it is forgotten here."""
    global _kept
    kept, _kept = _kept, None
    return kept


class Trajectory:
    """The judge's own run of an experiment.

    Args:
        states: what exists at the start and after each step, as attributes; the start may lack some (None).
        names: state -> its name in messages and reports, in the order in which a step makes them, so that the first
            difference is the cause and not a consequence. The experiment returns a list for each.
        atol, rtol: allowed error of every number. Whole numbers, truth values and texts are compared exactly.
    """

    def __init__(
        self, states: Sequence[Any], names: Mapping[str, str], *, atol: float = 1e-8, rtol: float = 1e-8
    ) -> None:
        self._names = dict(names)
        self._allowed = {"atol": atol, "rtol": rtol}
        self._steps = len(states) - 1
        self._expected = {name: [getattr(state, name) for state in states] for name in names}
        self._shapes = {name: _shape(values[-1]) for name, values in self._expected.items()}
        self._numbers = {name: self._numbers_of(name) for name in self._sent()}

    def follow(self, solution: Solution, *, steps: int | None = None, **options: Any) -> None:
        """Runs the experiment and fails the check at the first state that differs.

        Args:
            steps: how many steps to run, an option of the experiment; a shorter run is compared, but not kept for the
                report.
            options: further options of the experiment.

        Raises:
            CheckFailed: with the step, the state, and what was expected and came.
        """
        if steps is not None:
            options["steps"] = steps
        whole = steps is None or steps == self._steps
        if whole:
            self._keep("ended")  # what stays if the experiment raises, or returns something else than its states
        last = self._steps if steps is None else steps
        result = solution.experiment(**options)
        got = {name: self._series(result, name, last) for name in self._names}
        first = None
        try:
            for step in range(last + 1):
                for name in self._names:
                    first = (step, name)
                    self._compare(name, step, got[name][step])
            first = None
        finally:
            if whole:
                self._keep("agrees" if first is None else "differs", first, got)

    def _series(self, result: Any, name: str, steps: int) -> list[Any]:
        """One list of the experiment's result, with None for a start that has no entry."""
        missing = self._expected[name][0] is None
        length = steps + (0 if missing else 1)
        values = result.get(name) if isinstance(result, dict) else None
        if not isinstance(values, list) or len(values) != length:
            raise CheckFailed(f"The experiment did not return {length} values of {self._names[name]}.")
        return [None, *values] if missing else values

    def _compare(self, name: str, step: int, got: Any) -> None:
        expected = self._expected[name][step]
        if expected is None:
            return
        what, where = self._names[name], f"step {step}" if step else "at the start"
        if isinstance(expected, (int, str)):
            equal(got, expected, what=what, where=where)
        else:
            close(got, expected, what=what, where=where, **self._allowed)

    def _keep(
        self, end: str, first: tuple[int, str] | None = None, got: Mapping[str, Sequence[Any]] | None = None
    ) -> None:
        global _kept
        states = []
        for name, expected in self._numbers.items():
            state: dict[str, Any] = {"name": name, "label": self._names[name]}
            state |= {"shape": self._shapes[name], "expected": expected}
            if first is not None and got is not None:
                state["got"] = [_numbers(value, self._shapes[name]) for value in got[name][first[0] :]]
            states.append(state)
        _kept = {"end": end, "steps": self._steps, "states": states, **self._allowed}
        if first is not None:
            _kept["first"] = {"step": first[0], "state": first[1], "label": self._names[first[1]]}

    def _numbers_of(self, name: str) -> list[Numbers]:
        return [_numbers(value, self._shapes[name]) for value in self._expected[name]]

    def _sent(self) -> list[str]:
        """The states whose numbers are kept, in their order."""
        room = MAX_NUMBERS
        sent = set()
        for name in sorted(self._names, key=lambda name: math.prod(self._shapes[name])):
            entries = math.prod(self._shapes[name])
            room -= entries * (self._steps + 1)
            if entries <= MAX_TABLE_ENTRIES and room >= 0:
                sent.add(name)
        return [name for name in self._names if name in sent]


def _shape(value: Any) -> list[int]:
    return [] if isinstance(value, (int, float, str)) else list(_tensor(value).shape)


def _tensor(value: Any) -> torch.Tensor:
    tensor = value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=torch.float64)
    return tensor.detach().to(torch.float64)


def _numbers(value: Any, shape: list[int]) -> Numbers:
    """The entries in one list, a single one by itself, rounded to what is read; None for anything else."""
    if type(value) is int:
        return value if not shape and abs(value) < 2**53 else None
    try:
        tensor = _tensor(value)
    except (TypeError, ValueError, RuntimeError):
        return None
    if list(tensor.shape) != shape:
        return None
    entries = [plain(float(f"{entry:.{_DIGITS}g}")) for entry in tensor.reshape(-1).tolist()]
    return entries if shape else entries[0]
