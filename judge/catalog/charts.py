"""What a report draws of the runs of an experiment, as a package says it in data.

    [[runs]]
    check = "experiment_trajectory"
    title = "Twelve training steps"

    [[charts]]
    title = "Distance between the encoders"
    distance = ["query_encoder", "key_encoder"]
    axis = "Euclidean length"

A run is what a check follows with `sandbox.checks.Trajectory`; every chart is drawn of every run. Whether a check
follows one, and has the states that the charts name, is known only when it has run: `verify` looks at that.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.catalog.table import Complaint, Table

KINDS = ("state", "length", "distance")
"""A state of one number; the Euclidean length of a state; that of the difference of two states."""


@dataclasses.dataclass(frozen=True)
class DrawnRun:
    """A run that a report draws over the judge's own."""

    check: str
    """The id of the check that follows it."""
    title: str
    line: int | None


@dataclasses.dataclass(frozen=True)
class Chart:
    """A line by step."""

    title: str
    axis: str
    """What the numbers are, with their unit."""
    kind: str
    """One of `KINDS`."""
    states: tuple[str, ...]
    line: int | None

    def unfit(self, shapes: Mapping[str, Sequence[int]]) -> tuple[str, str] | None:
        """Why it can't be drawn of a run with states of these shapes, and what to do; None if it can."""
        for state in self.states:
            if state not in shapes:
                return f"draws the state {state!r}, which is not kept", f"name one of {', '.join(shapes)}"
        if self.kind == "state" and list(shapes[self.states[0]]):
            return f"draws {self.states[0]}, which is no single number", "draw its length"
        if self.kind == "distance" and list(shapes[self.states[0]]) != list(shapes[self.states[1]]):
            return f"compares {' and '.join(self.states)}, which differ in shape", "name two states of one shape"
        return None


def parse_runs(table: Table) -> tuple[DrawnRun, ...]:
    runs = []
    for part in table.tables("runs"):
        runs.append(DrawnRun(part.text("check"), part.text("title"), part.line))
        part.refuse_the_rest()
    return tuple(runs)


def parse_charts(table: Table) -> tuple[Chart, ...]:
    charts = []
    for part in table.tables("charts"):
        title, axis = part.text("title"), part.text("axis", default="")
        said = {kind: part.texts_or_text(kind) for kind in KINDS if kind in part.names()}
        kind, states = next(iter(said.items()), ("state", ()))
        if len(said) != 1:
            part.complain("[[charts]] must say one thing to draw", f"write one of {', '.join(KINDS)}")
        elif len(states) != (2 if kind == "distance" else 1):
            wanted = 'two states: ["one", "other"]' if kind == "distance" else "the name of one state"
            part.complain(f"{kind} of [[charts]] names {len(states)} states", f"write {wanted}", kind)
        charts.append(Chart(title, axis, kind, states, part.line))
        part.refuse_the_rest()
    return tuple(charts)


def criticize_charts(
    runs: Sequence[DrawnRun], charts: Sequence[Chart], checks: set[str], *, has_experiment: bool
) -> Iterator[Complaint]:
    """What can be told without running anything. `checks` are the names of the test functions without `test_`."""
    seen: set[str] = set()
    for run in runs:
        if run.check.split("[")[0] not in checks:
            what = f"[[runs]] names the check {run.check!r}, which there is not"
            yield Complaint("problem.toml", what, "name a check that follows the experiment", run.line)
        elif run.check in seen:
            yield Complaint("problem.toml", f"[[runs]] names {run.check} twice", "remove one of the two", run.line)
        seen.add(run.check)
    if runs and not has_experiment:
        remedy = "add the file, or leave [[runs]] out"
        yield Complaint("problem.toml", "[[runs]] needs experiment.py, which is missing", remedy, runs[0].line)
    if runs and not charts:
        remedy = "say with [[charts]] what is drawn"
        yield Complaint("problem.toml", "[[runs]] has no charts", remedy, runs[0].line)
    if charts and not runs:
        remedy = "say with [[runs]] which checks follow the experiment"
        yield Complaint("problem.toml", "[[charts]] has no runs to draw", remedy, charts[0].line)


def kept_run(details: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """What a check kept of the run that it followed, from the details of its result."""
    kept = details.get("trajectory") if details is not None else None
    return kept if isinstance(kept, Mapping) else None
