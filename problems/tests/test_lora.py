"""What the package on LoRA says besides what every package must hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from problems.tests.support import Judge, failed


@pytest.fixture
def judge(judges: Callable[[str], Judge]) -> Judge:
    return judges("lora")


def test_the_starter_stops_at_the_constructor(judge: Judge) -> None:
    results, _ = judge.file("starter.py")
    for check in ("layer_start_b", "merge_twice", "train_rule", "counts"):
        assert results[check].message.startswith("LoRALinear raised NotImplementedError at line ")
        assert "LoRALinear is not written yet" in results[check].message


def test_methods_that_are_missing_are_named(judge: Judge) -> None:
    body = "        if not self.merged:\n            self._weight_before"
    reference = judge.package.files["reference.py"]
    assert reference.count(body) == 1
    stub = '        raise NotImplementedError("merge is not written yet")\n' + body
    results, _ = judge.text(reference.replace(body, stub))
    assert results["merge_weight"].message.startswith("LoRALinear.merge raised NotImplementedError at line ")
    assert "forward_rule" not in failed(results)


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("train_loss_after", "Step 1: loss: expected 0.25266"),
        ("train_uphill", "Step 1: lora_b at [0, 0]: expected "),
        ("train_b_only", "Step 2: lora_a at [0, 0]: expected "),
        ("train_weight_too", "Step 1: weight at [0, 0]: expected 0.5, got "),
        ("merge_path_still_added", "Step 1: merged output at [0, 0]: expected "),
        ("merge_unscaled_once", "Step 1: merged weight at [0, 0]: expected "),
        ("unmerge_flag_only", "Step 2: loss: expected 0.202631, got "),
    ],
)
def test_the_experiment_names_the_first_step_and_state_that_differ(judge: Judge, name: str, beginning: str) -> None:
    assert judge.file(f"wrong/{name}.py")[0]["experiment_trajectory[2]"].message.startswith(beginning)


@pytest.mark.parametrize(
    ("name", "check"),
    [
        ("forward_base_no_grad", "forward_gradient_input"),
        ("layer_shares_weight", "experiment_given"),
        ("merge_twice", "merge_twice"),
        ("train_cleared_after", "train_stale_gradients"),
        ("unmerge_current_change", "merge_unmerge_changed"),
    ],
)
def test_a_narrow_mistake_fails_one_check_alone(judge: Judge, name: str, check: str) -> None:
    assert failed(judge.file(f"wrong/{name}.py")[0]) == {check}


def test_a_frozen_tensor_may_be_a_buffer(judge: Judge) -> None:
    frozen = "nn.Parameter(weight.clone(), requires_grad=False)"
    reference = judge.package.files["reference.py"]
    assert reference.count(f"self.weight = {frozen}") == 1
    buffer = 'self.register_buffer("weight", weight.detach().clone())'
    results, _ = judge.text(reference.replace(f"self.weight = {frozen}", buffer))
    assert failed(results) == set()
