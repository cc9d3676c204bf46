"""Runs and charts in problem.toml: how they are read, and what is said of those that can't be drawn."""

import pytest

from judge.catalog.charts import Chart, DrawnRun
from judge.catalog.criticism import criticize
from judge.catalog.package import PackageError, ProblemPackage
from judge.catalog.tests.packages import PACKAGE, changed
from judge.catalog.verify.charts import assess_charts
from judge.catalog.verify.jobs import Pool, Task
from sandbox.client import Client

DESCRIPTION = PACKAGE.files["problem.toml"].rstrip("\n")
FIRST = DESCRIPTION.count("\n") + 2
"""The line at which what is added begins."""
CHARTS = """
[[runs]]
check = "passes"
title = "Two passes"

[[charts]]
title = "Spread"
state = "spread"
axis = "units"

[[charts]]
title = "Change"
distance = ["rows", "before"]
"""
EXPERIMENT = """
def run(solution, steps=1):
    rows = [[1.0, 3.0]]
    return {"spread": [2.0, 2.0], "rows": [rows, rows], "before": [rows, rows]}
"""
FOLLOWED = """
import dataclasses

from sandbox.checks import Trajectory, check

@dataclasses.dataclass
class State:
    spread: float = 2.0
    rows: tuple = ((1.0, 3.0),)
    before: tuple = ((1.0, 3.0),)

RUN = Trajectory([State(), State()], {"spread": "spread", "rows": "rows", "before": "before"})

@check("Two passes", section="task", hint="Think.")
def test_passes(solution):
    RUN.follow(solution)
"""


def package(charts: str = CHARTS, **files: str | None) -> ProblemPackage:
    more: dict[str, str | None] = {"experiment.py": EXPERIMENT, "checks/test_passes.py": FOLLOWED}
    more |= {{"experiment": "experiment.py"}.get(name, name): text for name, text in files.items()}
    return changed({**more, "problem.toml": DESCRIPTION + "\n" + charts})


def refused(charts: str) -> list[str]:
    with pytest.raises(PackageError) as raised:
        package(charts)
    return [str(complaint) for complaint in raised.value.complaints]


def criticized(charts: str = CHARTS, **files: str | None) -> list[str]:
    return [str(complaint) for complaint in criticize(package(charts, **files))]


def assessed(client: Client, charts: str) -> list[str]:
    described = package(charts)
    (judged,) = Pool(described, client).run([Task("reference.py", described.reference)])
    return [str(complaint) for complaint in assess_charts(described, judged)]


def test_runs_and_charts_are_read() -> None:
    found = package()

    assert found.runs == (DrawnRun("passes", "Two passes", FIRST + 1),)
    assert found.charts == (
        Chart("Spread", "units", "state", ("spread",), FIRST + 5),
        Chart("Change", "", "distance", ("rows", "before"), FIRST + 10),
    )
    assert criticized() == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            'state = "spread"\n',
            "",
            f"problem.toml:{FIRST + 5}: [[charts]] must say one thing to draw; write one of state, length, distance",
        ),
        (
            'state = "spread"\n',
            'state = "spread"\nlength = "rows"\n',
            f"problem.toml:{FIRST + 5}: [[charts]] must say one thing to draw; write one of state, length, distance",
        ),
        (
            '["rows", "before"]',
            '"rows"',
            f'problem.toml:{FIRST + 12}: distance of [[charts]] names 1 states; write two states: ["one", "other"]',
        ),
        (
            'axis = "units"',
            'unit = "units"',
            f"problem.toml:{FIRST + 8}: charts[0].unit is not a known field; remove it or correct it; known are axis, "
            "state, title",
        ),
        (
            'check = "passes"\n',
            "",
            f"problem.toml:{FIRST + 1}: runs[0].check is missing; write a text in quotes",
        ),
    ],
)
def test_what_can_not_be_read_is_told_with_its_line(old: str, new: str, complaint: str) -> None:
    assert refused(CHARTS.replace(old, new)) == [complaint]


def test_a_run_needs_a_check_charts_and_an_experiment() -> None:
    runs, charts = CHARTS[: CHARTS.index("[[charts]]")], CHARTS[CHARTS.index("[[charts]]") :]

    assert criticized(CHARTS.replace('"passes"', '"passed"')) == [
        f"problem.toml:{FIRST + 1}: [[runs]] names the check 'passed', which there is not; name a check that follows "
        "the experiment"
    ]
    assert criticized(runs) == [f"problem.toml:{FIRST + 1}: [[runs]] has no charts; say with [[charts]] what is drawn"]
    assert criticized("\n" + charts) == [
        f"problem.toml:{FIRST + 1}: [[charts]] has no runs to draw; say with [[runs]] which checks follow the "
        "experiment"
    ]
    assert criticized(runs + runs + charts) == [
        f"problem.toml:{FIRST + 6}: [[runs]] names passes twice; remove one of the two"
    ]
    assert criticized(experiment=None) == [
        f"problem.toml:{FIRST + 1}: [[runs]] needs experiment.py, which is missing; add the file, or leave [[runs]] out"
    ]


def test_a_check_that_follows_no_run_is_found(sandbox_client: Client) -> None:
    assert assessed(sandbox_client, CHARTS) == []
    assert assessed(sandbox_client, CHARTS.replace('"passes"', '"value"')) == [
        f"problem.toml:{FIRST + 1}: the check value of [[runs]] keeps no run; follow the whole experiment there: "
        "Trajectory(states, names).follow(solution)"
    ]


def test_states_that_do_not_fit_are_found(sandbox_client: Client) -> None:
    unfit = CHARTS.replace('"spread"', '"rows"').replace('"before"', '"spread"')
    unfit += '\n[[charts]]\ntitle = "Length"\nlength = "row"\n'

    assert assessed(sandbox_client, unfit) == [
        f"problem.toml:{FIRST + 5}: the chart 'Spread' draws rows, which is no single number; draw its length",
        f"problem.toml:{FIRST + 10}: the chart 'Change' compares rows and spread, which differ in shape; name two "
        "states of one shape",
        f"problem.toml:{FIRST + 14}: the chart 'Length' draws the state 'row', which is not kept; name one of spread, "
        "rows, before",
    ]
