"""The training runs with the submission, against the judge's own trajectories."""

import pytest

from sandbox.checks import Trajectory, check, close, ensure, fail
from trajectory import STATES

NAMES = {
    "loss": "loss",
    "lora_b": "lora_b",
    "lora_a": "lora_a",
    "weight": "weight",
    "output": "output",
    "merged_weight": "merged weight",
    "merged_output": "merged output",
}
"""In the order in which a step makes them, so that the first difference is the cause and not a consequence."""

RUNS = {rank: Trajectory(states, NAMES) for rank, states in STATES.items()}


def series(result, name, steps):
    """One list of the experiment's result."""
    length = steps if name == "loss" else steps + 1
    values = result.get(name) if isinstance(result, dict) else None
    if not isinstance(values, list) or len(values) != length:
        fail(f"The experiment did not return {length} values of {name}.")
    return values


@check(
    "One training step",
    section="experiment",
    sentence="experiment-states",
    hint="The first state that differs names the place to look at: the loss and both matrices come from `train_step`, the weight from `merge` and `unmerge`, the outputs from the forward pass.",
)
def test_experiment_first_step(solution):
    RUNS[2].follow(solution, rank=2, steps=1)


@check(
    "Twelve training steps",
    section="experiment",
    sentence="experiment-states",
    hint="If the first step is right and a later one is not, ask what is new there: `lora_a` moves from the second step on, gradients could add up, and merging and unmerging has happened before.",
)
@pytest.mark.parametrize("rank", [1, 2])
def test_experiment_trajectory(solution, rank):
    RUNS[rank].follow(solution, rank=rank)


@check(
    "The caller's tensors stay as they were",
    section="experiment",
    sentence="own-copy",
    hint="The layer was merged and unmerged, and the weight that it was made from must not have noticed. `nn.Parameter(weight)` shares the memory of `weight`: clone it.",
)
def test_experiment_given(solution):
    result = solution.experiment(rank=1, steps=1)
    given = result.get("given") if isinstance(result, dict) else None
    ensure(given == [], f"The run has changed what the layer was made from or trained with: {_listed(given)}.")


@check(
    "The experiment can be repeated",
    section="experiment",
    sentence="experiment-repeatable",
    hint="Two runs from the same start must agree in every state. If they do not, something survives from the first run: a global optimizer with its momentum, or a seed.",
)
def test_experiment_repeatable(solution):
    first, second = (solution.experiment(rank=2, steps=2) for _ in range(2))
    for name in NAMES:
        pairs = zip(series(first, name, 2), series(second, name, 2), strict=True)
        for step, (one, other) in enumerate(pairs, start=name == "loss"):
            close(other, one, what=name, where=f"second run, step {step}")


def _listed(names):
    return ", ".join(map(str, names)) if isinstance(names, list) else "it kept no record of that"
