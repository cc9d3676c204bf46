"""What the package on SimCLR says besides what every package must hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from problems.tests.support import Judge, failed


@pytest.fixture
def judge(judges: Callable[[str], Judge]) -> Judge:
    return judges("simclr")


def test_the_starter_names_the_function_that_is_missing(judge: Judge) -> None:
    results, _ = judge.file("starter.py")
    assert "similarity_matrix is not written yet" in results["similarity_order"].message
    assert "nt_xent_loss is not written yet" in results["loss_hand_value"].message
    assert "contrastive_accuracy is not written yet" in results["accuracy_ties"].message


@pytest.mark.parametrize(
    ("name", "check", "beginning"),
    [
        ("loss_positive_twice", "experiment_small_batch", "Step 1: loss: expected 1.00737, got "),
        ("loss_second_view_detached", "experiment_small_batch", "Step 1: encoder at [0, 0]: expected "),
        ("loss_across_only", "experiment_large_batch", "Step 1: loss: expected 1.32815, got "),
        ("similarity_second_view_first", "experiment_large_batch", "At the start: similarities at [0, 1]: expected "),
        ("accuracy_error", "experiment_large_batch", "At the start: accuracy: expected 0.833333, got 0.166667"),
    ],
)
def test_the_experiment_names_the_first_step_and_state_that_differ(
    judge: Judge, name: str, check: str, beginning: str
) -> None:
    assert judge.file(f"wrong/{name}.py")[0][check].message.startswith(beginning)


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("loss_mask_small", "loss_itself_small_temperature"),
        ("loss_maximum_of_negatives", "loss_one_pair"),
        ("loss_default_temperature", "loss_default_temperature"),
        ("accuracy_ties_count", "accuracy_ties"),
        ("similarity_norm_detached", "similarity_gradients"),
    ],
)
def test_a_narrow_mistake_fails_one_check_alone(judge: Judge, name: str, check: str) -> None:
    assert failed(judge.file(f"wrong/{name}.py")[0]) == {check}
