"""A learner's run of the experiment over the judge's: lines by step, and the numbers of the first step that differs.

A check keeps both runs in its details (`sandbox.trajectory`); the package says what is drawn of them
(`judge.catalog.charts`). What is not sent of a learner's run agrees with the judge's.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from judge.catalog.charts import Chart, DrawnRun, kept_run
from judge.catalog.package import ProblemPackage
from judge.submissions.models import CheckResult

Run = Mapping[str, Any]
Value = float | None


def drawn_runs(package: ProblemPackage, results: Sequence[CheckResult]) -> list[dict[str, Any]]:
    """What the report shows of the runs that these checks followed, in the order of problem.toml."""
    kept = {result.check_id: (result.order, kept_run(result.details)) for result in results}
    drawn = []
    for run in package.runs:
        order, states = kept.get(run.check, (0, None))
        if states is not None:
            drawn.append(_drawn(run, order, states, package.charts))
    return drawn


def _drawn(run: DrawnRun, order: int, kept: Run, charts: Sequence[Chart]) -> dict[str, Any]:
    shapes = {state["name"]: state["shape"] for state in kept["states"]}
    first = kept.get("first")
    return {
        "check": order,
        "title": run.title,
        "sentence": _sentence(kept),
        "first": None if first is None else {"step": first["step"], "label": first["label"]},
        "charts": [_chart(chart, kept) for chart in charts if chart.unfit(shapes) is None],
        "step": None if first is None else _step(kept, first["step"]),
    }


def _sentence(kept: Run) -> str:
    if kept["end"] == "agrees":
        return f"All {kept['steps']} steps agree with the judge's run, in every state."
    first = kept.get("first")
    if first is None:
        return "Your run has not come to its end, so only the judge's is drawn."
    if first["step"] == 0:
        return f"First difference: at the start, {first['label']}."
    return f"First difference: step {first['step']}, {first['label']}."


def _chart(chart: Chart, kept: Run) -> dict[str, Any]:
    steps = range(kept["steps"] + 1)
    return {
        "title": chart.title,
        "axis": chart.axis,
        "expected": [_value(chart, [_expected(kept, name, step) for name in chart.states]) for step in steps],
        "got": None
        if kept["end"] == "ended"
        else [_value(chart, [_got(kept, name, step) for name in chart.states]) for step in steps],
    }


def _state(kept: Run, name: str) -> Mapping[str, Any]:
    state: Mapping[str, Any] = next(state for state in kept["states"] if state["name"] == name)
    return state


def _expected(kept: Run, name: str, step: int) -> list[Any] | None:
    return _entries(_state(kept, name)["expected"][step])


def _got(kept: Run, name: str, step: int) -> list[Any] | None:
    first = kept.get("first")
    if first is None or step < first["step"]:
        return _expected(kept, name, step)
    return _entries(_state(kept, name)["got"][step - first["step"]])


def _entries(value: Any) -> list[Any] | None:
    return value if value is None or isinstance(value, list) else [value]


def _value(chart: Chart, states: Sequence[list[Any] | None]) -> Value:
    """The number that is drawn of a step; None where there is none that can be."""
    numbers = [[float(entry) for entry in state] for state in states if state is not None]
    if len(numbers) < len(states):
        return None
    if chart.kind == "state":
        value = numbers[0][0]
    elif chart.kind == "length":
        value = math.hypot(*numbers[0])
    else:
        value = math.dist(*numbers)
    return value if math.isfinite(value) else None


def _step(kept: Run, number: int) -> dict[str, Any]:
    """Every state of one step, entry by entry; those that the start lacks are left out."""
    states = []
    for state in kept["states"]:
        expected, got = _expected(kept, state["name"], number), _got(kept, state["name"], number)
        if expected is None:
            continue
        pairs = zip(expected, got or expected, strict=True)
        differs = [got is None or _differs(kept, *pair) for pair in pairs]
        values = {"expected": expected, "got": got, "differs": differs}
        states.append({"label": state["label"], "shape": state["shape"], **values})
    return {"number": number, "states": states}


def _differs(kept: Run, expected: Any, got: Any) -> bool:
    if isinstance(expected, int):
        return bool(got != expected)
    return not abs(float(got) - float(expected)) <= kept["atol"] + kept["rtol"] * abs(float(expected))
