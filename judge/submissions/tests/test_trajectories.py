"""The runs in a report: the learner's over the judge's, from what the sandbox kept to what is drawn and read."""

import json
from typing import Any

import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.submissions import judging
from judge.submissions.models import Submission
from judge.submissions.tests.test_report import state
from judge.tests import halving
from judge.tests.pages import words
from sandbox import client as sandbox

EXPERIMENT = """\
import torch

def run(solution, steps=3):
    value = torch.tensor([16.0, -8.0], dtype=torch.float64)
    states = {"size": [], "value": [value], "other": [value], "count": [0]}
    for step in range(steps):
        value = solution.halve(states["value"][-1])
        states["size"].append(float(value.abs().sum()))
        states["value"].append(value)
        states["other"].append(torch.zeros(2))
        states["count"].append(step + 1)
    return states
"""
CHECKS = """\
import dataclasses

from sandbox.checks import Trajectory, check

@dataclasses.dataclass
class State:
    size: object
    value: object
    other: object
    count: int

STATES = [State(None, (16.0, -8.0), (16.0, -8.0), 0)] + [
    State(24.0 / 2**n, (16.0 / 2**n, -8.0 / 2**n), (0.0, 0.0), n) for n in (1, 2, 3)
]
RUN = Trajectory(STATES, {"size": "size", "value": "value", "other": "other", "count": "count"})

@check("Three steps", section="care", hint="Halve.")
def test_three(solution):
    RUN.follow(solution)
"""
CHARTS = """
[[runs]]
check = "three"
title = "Three halvings"

[[charts]]
title = "Size"
state = "size"
axis = "sum"

[[charts]]
title = "Length"
length = "value"

[[charts]]
title = "Distance"
distance = ["value", "other"]
"""
FILES = {
    **halving.FILES,
    "problem.toml": halving.FILES["problem.toml"] + CHARTS,
    "experiment.py": EXPERIMENT,
    "checks/test_three.py": CHECKS,
}


@pytest.fixture
def report(signed_in: Client, learner: User, sandbox_client: sandbox.Client) -> Any:
    """The report's JSON for a source."""
    problem = Problem.publish(parse("halving", FILES)).problem

    def judge(source: str, after: int = 0) -> dict[str, Any]:
        submission = Submission.hand_in(learner, Problem.objects.get(pk=problem.pk), source)
        judging.judge(submission.pk, sandbox_client)
        return state(signed_in, submission, after)

    return judge


def test_a_run_that_agrees_is_drawn_over_the_judges(report: Any) -> None:
    values = report("def halve(x):\n    return x / 2\n")

    assert values["sentence"] == "Solved"
    assert values["runs"] == [
        {
            "check": 3,
            "title": "Three halvings",
            "sentence": "All 3 steps agree with the judge's run, in every state.",
            "first": None,
            "charts": [
                {"title": "Size", "axis": "sum", "expected": [None, 12, 6, 3], "got": [None, 12, 6, 3]},
                {"title": "Length", "axis": "", **both([320**0.5 / 2**n for n in range(4)])},
                {"title": "Distance", "axis": "", **both([0.0, *(320**0.5 / 2**n for n in (1, 2, 3))])},
            ],
            "step": None,
        }
    ]
    assert values["checks"][3]["details"] is None


def both(line: list[float]) -> dict[str, Any]:
    return {"expected": pytest.approx(line), "got": pytest.approx(line)}


def test_the_first_step_that_differs_stands_entry_by_entry(report: Any) -> None:
    values = report("def halve(x):\n    return x / 2 if x[0] > 9 else x / torch.tensor([2.0, 4.0])\n\nimport torch\n")

    [run] = values["runs"]
    assert run["sentence"] == "First difference: step 2, size."
    assert run["first"] == {"step": 2, "label": "size"}
    assert run["charts"][0] == {
        "title": "Size",
        "axis": "sum",
        "expected": [None, 12, 6, 3],
        "got": [None, 12, 5, 2.25],
    }
    assert run["step"] == {
        "number": 2,
        "states": [
            {"label": "size", "shape": [], "expected": [6.0], "got": [5.0], "differs": [True]},
            {"label": "value", "shape": [2], "expected": [4.0, -2.0], "got": [4.0, -1.0], "differs": [False, True]},
            {"label": "other", "shape": [2], "expected": [0.0, 0.0], "got": [0.0, 0.0], "differs": [False, False]},
            {"label": "count", "shape": [], "expected": [2], "got": [2], "differs": [False]},
        ],
    }
    assert "trajectory" not in json.dumps(values["checks"])


def test_a_number_that_is_none_leaves_a_gap(report: Any) -> None:
    [run] = report("def halve(x):\n    return x / 2 if x[0] > 9 else x * float('nan')\n")["runs"]

    assert [chart["got"][1:] for chart in run["charts"][:1]] == [[12, None, None]]
    assert run["step"]["states"][1]["got"] == ["nan", "nan"]
    assert run["step"]["states"][1]["differs"] == [True, True]


def test_of_a_run_without_an_end_only_the_judges_is_drawn(report: Any) -> None:
    [run] = report("def halve(x):\n    return x / 2 if x[0] < 9 else None\n")["runs"]

    assert run["sentence"] == "Your run has not come to its end, so only the judge's is drawn."
    assert (run["first"], run["step"]) == (None, None)
    assert [chart["got"] for chart in run["charts"]] == [None, None, None]
    assert run["charts"][0]["expected"] == [None, 12, 6, 3]


def test_the_runs_come_with_the_last_checks(report: Any) -> None:
    values = report("def halve(x):\n    return x / 2\n", after=4)

    assert values["checks"] == []
    assert len(values["runs"]) == 1


def test_the_page_has_the_numbers_without_scripts(report: Any, signed_in: Client) -> None:
    values = report("def halve(x):\n    return x / 3\n")

    said = words(signed_in.get(values["url"]))

    assert "First difference: step 1, size." in said
    assert "value[1] -4 -2.66667" in said
    assert "Size (sum) Step Judge's Yours 0 – – 1 12 8" in said
