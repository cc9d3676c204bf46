"""What a check that follows a run keeps for the report, whether the run agrees or not."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.client import Client
from sandbox.protocol import Package, Status
from sandbox.tests.packages import Judged, judge, package_of

EXPERIMENT = """
import torch

def run(solution, steps=3):
    total = torch.zeros(2, dtype=torch.float64)
    states = {"loss": [], "total": [total], "count": [0]}
    for step in range(steps):
        total = solution.f(states["total"][-1], step)
        states["loss"].append(float(total.sum()))
        states["total"].append(total)
        states["count"].append(step + 1)
    return states
"""
CHECKS = """
import dataclasses

@dataclasses.dataclass
class State:
    loss: object
    total: object
    count: int

STATES = [State(None, (0.0, 0.0), 0), State(2.0, (1.0, 1.0), 1), State(4.0, (2.0, 2.0), 2), State(6.0, (3.0, 3.0), 3)]
RUN = Trajectory(STATES, {"loss": "loss", "total": "running total", "count": "count"})

@check("One step", section="run")
def test_one(solution):
    RUN.follow(solution, steps=1)

@check("Three steps", section="run")
def test_three(solution):
    RUN.follow(solution)
"""
RIGHT = "def f(total, step):\n    return total + 1\n"


def package(checks: str = CHECKS) -> Package:
    return package_of(checks, {"f": "Tensor"}, {"experiment.py": EXPERIMENT})


def kept(judged: Judged, check: str = "three") -> dict[str, Any]:
    details = judged[check].details
    assert details is not None
    value: dict[str, Any] = details["trajectory"]
    return value


def test_a_run_that_agrees_is_kept_once(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, RIGHT, package())

    assert judged.statuses == {"one": Status.PASSED, "three": Status.PASSED}
    assert judged["one"].details is None
    assert judged["three"].details == {
        "kind": "trajectory",
        "trajectory": {
            "end": "agrees",
            "steps": 3,
            "atol": 1e-8,
            "rtol": 1e-8,
            "states": [
                {"name": "loss", "label": "loss", "shape": [], "expected": [None, 2.0, 4.0, 6.0]},
                {
                    "name": "total",
                    "label": "running total",
                    "shape": [2],
                    "expected": [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
                },
                {"name": "count", "label": "count", "shape": [], "expected": [0, 1, 2, 3]},
            ],
        },
    }


def test_a_run_that_differs_is_kept_from_there_on(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "def f(total, step):\n    return total + (1 if step < 1 else 1.5)\n", package())

    assert judged["one"].status is Status.PASSED
    assert judged["three"].message == "Step 2: loss: expected 4, got 5; off by 1, allowed 5e-08."
    details = judged["three"].details
    assert details is not None
    assert details["kind"] == "comparison"
    assert kept(judged)["end"] == "differs"
    assert kept(judged)["first"] == {"step": 2, "state": "loss", "label": "loss"}
    assert [state["got"] for state in kept(judged)["states"]] == [[5.0, 8.0], [[2.5, 2.5], [4.0, 4.0]], [2, 3]]


@pytest.mark.parametrize(
    ("returned", "got"),
    [
        ("total * float('nan')", [["nan", "nan"]] * 2),
        ("torch.cat([total, total[:1]])", [None, None]),
    ],
)
def test_what_has_no_number_or_another_shape_is_said_so(sandbox_client: Client, returned: str, got: list[Any]) -> None:
    source = f"import torch\n\ndef f(total, step):\n    return {returned} if step else total + 1\n"

    judged = judge(sandbox_client, source, package())

    assert judged["three"].status is Status.FAILED
    assert kept(judged)["states"][1]["got"] == got


def test_of_a_run_that_does_not_end_the_judges_own_is_kept(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "def f(total, step):\n    return total / (1 if step < 1 else None)\n", package())

    assert judged["three"].status is Status.RUNTIME_ERROR
    assert kept(judged)["end"] == "ended"
    assert [len(state["expected"]) for state in kept(judged)["states"]] == [4, 4, 4]
    assert not any("got" in state for state in kept(judged)["states"])


def test_large_states_are_compared_and_left_out(sandbox_client: Client) -> None:
    checks = CHECKS.replace("0.0, 0.0", "*[0.0] * 65,").replace("1.0, 1.0", "*[1.0] * 65,")
    checks = checks.replace("2.0, 2.0", "*[2.0] * 65,").replace("3.0, 3.0", "*[3.0] * 65,")
    wide = EXPERIMENT.replace("zeros(2", "zeros(65").replace("float(total.sum())", "2.0 * (step + 1)")
    own = package_of(checks, {"f": "Tensor"}, {"experiment.py": wide})

    assert [state["name"] for state in kept(judge(sandbox_client, RIGHT, own))["states"]] == ["loss", "count"]
    wrong = judge(sandbox_client, "def f(total, step):\n    return total + 1 + 1e-5\n", own)
    assert wrong["three"].message.startswith("Step 1: running total at [0]: expected 1")
