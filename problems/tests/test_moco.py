"""What the package on Momentum Contrast says besides what every package must hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from problems.tests.support import Judge, failed
from sandbox.protocol import Verdict


@pytest.fixture
def judge(judges: Callable[[str], Judge]) -> Judge:
    return judges("moco")


def test_a_gradient_that_is_not_finite_at_zero_is_told_and_costs_nothing(judge: Judge) -> None:
    norm = "torch.linalg.vector_norm(rows, dim=1, keepdim=True)"
    reference = judge.package.files["reference.py"]
    assert norm in reference
    results, outcome = judge.text(reference.replace(norm, "rows.square().sum(dim=1, keepdim=True).sqrt()"))
    assert failed(results) == {"loss_gradient_zero_row"} == {check.id for check in judge.checks if not check.required}
    assert outcome.verdict is Verdict.ACCEPTED


def test_the_starter_names_the_function_that_is_missing(judge: Judge) -> None:
    assert "moco_loss is not written yet" in judge.file("starter.py")[0]["loss_hand_value"].message


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("wrong/loss_positive_twice.py", "Step 1: loss: expected 0.736361, got "),
        ("wrong/loss_norm_detached.py", "Step 1: query encoder at [0, 0]: expected "),
        ("wrong/momentum_swapped.py", "Step 1: key encoder at [0, 0]: expected "),
        ("wrong/enqueue_not_normalized.py", "Step 1: dictionary at [0, 0]: expected "),
        ("wrong/enqueue_pointer_by_one.py", "Step 1: pointer: expected 2, got 1."),
        ("wrong/enqueue_no_wrap.py", "Step 3: dictionary at [0, 0]: expected "),
    ],
)
def test_the_experiment_names_the_first_step_and_state_that_differ(judge: Judge, name: str, beginning: str) -> None:
    results, _ = judge.file(name)
    assert results["experiment_trajectory"].message.startswith(beginning)


def test_many_contracts_are_refused(judge: Judge) -> None:
    assert sum("_refuses_" in check.id for check in judge.checks) >= 8
