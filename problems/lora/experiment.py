"""The supplied run: a frozen linear layer learns a new task through your LoRA layer, on the CPU.

The base layer maps four numbers to three. The targets come from another layer, whose weight differs from the base by
a matrix of rank two. `run(solution, rank=1)` and `run(solution, rank=2)` take twelve steps of gradient descent on all
six samples with the same alpha and the same learning rate. After every step the layer is merged, looked at, and
unmerged again.

Your layer draws `lora_a` at random. So that every run is the same, it is overwritten here before the first step.

This file is shown to you as it is, and runs beside your submission. It holds no expected value.
"""

from typing import Any

import torch
from torch import Tensor

LEARNING_RATE = 0.5
ALPHA = 3
STEPS = 12

WEIGHT = [
    [0.5, -0.3, 0.2, 0.1],
    [0.1, 0.4, -0.2, 0.3],
    [-0.2, 0.1, 0.6, -0.4],
]
BIAS = [0.1, -0.2, 0.05]
CHANGE = [  # of rank two: what a perfect layer would learn
    [0.8, -0.3, 0.6, 0.3],
    [0.4, 0.0, 0.6, 0.0],
    [-0.4, 0.6, 0.6, -0.6],
]
START_A = [  # rank one takes the first row
    [0.5, -0.4, 0.3, 0.2],
    [0.2, 0.5, 0.4, -0.3],
]
INPUTS = [
    [0.9, 0.1, -0.3, 0.4],
    [-0.5, 0.8, 0.2, 0.1],
    [0.3, -0.7, 0.6, -0.2],
    [-0.2, -0.4, -0.8, 0.5],
    [0.6, 0.5, 0.1, -0.9],
    [-0.7, 0.2, 0.5, 0.6],
]


def run(solution: Any, rank: int, steps: int = STEPS) -> dict[str, Any]:
    """Train for `steps` steps. Returns every state: lists with one entry for the start and one for each step.

    `loss` has no entry for the start. `given` names the tensors of the caller that have changed when the run is over.
    """
    weight, bias, inputs = tensor(WEIGHT), tensor(BIAS), tensor(INPUTS)
    targets = inputs @ (weight + tensor(CHANGE)).T + bias
    given = {"weight": weight, "bias": bias, "inputs": inputs, "targets": targets}
    before = {name: value.clone() for name, value in given.items()}

    layer = solution.LoRALinear(weight, bias, rank, ALPHA)
    with torch.no_grad():
        layer.lora_a.copy_(tensor(START_A[:rank]))

    states: dict[str, list[Any]] = {
        name: [] for name in ("loss", "lora_b", "lora_a", "weight", "output", "merged_weight", "merged_output")
    }

    def record() -> None:
        for name in ("lora_b", "lora_a", "weight"):
            states[name].append(snapshot(getattr(layer, name)))
        states["output"].append(snapshot(layer(inputs)))
        layer.merge()
        states["merged_weight"].append(snapshot(layer.weight))
        states["merged_output"].append(snapshot(layer(inputs)))
        layer.unmerge()

    record()
    for _ in range(steps):
        states["loss"].append(snapshot(solution.train_step(layer, inputs, targets, LEARNING_RATE)))
        record()
    layer.merge()
    with torch.no_grad():  # whatever is done with the layer, what it was made from is not touched
        layer.weight.zero_()
        layer.bias.zero_()
    changed = [name for name, value in given.items() if not torch.equal(value, before[name])]
    return {**states, "given": changed}


def snapshot(state: Tensor) -> Tensor:
    """The state as it is now, whatever happens to it later."""
    return state.detach().clone()


def tensor(values: list[Any]) -> Tensor:
    """The numbers in double precision, so that rounding stays far below any difference that matters."""
    return torch.tensor(values, dtype=torch.float64)
