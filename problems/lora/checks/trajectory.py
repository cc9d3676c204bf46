"""The judge's own runs of the experiment, with rank one and with rank two.

They share nothing with `experiment.py` or with any solution: this file carries its own data and parameters in plain Python
floats, and takes the gradients of the objective by finite differences. They are computed once, when the checks are
imported, because they do not depend on a submission.
"""

from __future__ import annotations

import dataclasses

from oracle import Rows, added, delta, forward, trained

WEIGHT = ((0.5, -0.3, 0.2, 0.1), (0.1, 0.4, -0.2, 0.3), (-0.2, 0.1, 0.6, -0.4))
BIAS = (0.1, -0.2, 0.05)
CHANGE = ((0.8, -0.3, 0.6, 0.3), (0.4, 0.0, 0.6, 0.0), (-0.4, 0.6, 0.6, -0.6))
START_A = ((0.5, -0.4, 0.3, 0.2), (0.2, 0.5, 0.4, -0.3))
INPUTS = (
    (0.9, 0.1, -0.3, 0.4),
    (-0.5, 0.8, 0.2, 0.1),
    (0.3, -0.7, 0.6, -0.2),
    (-0.2, -0.4, -0.8, 0.5),
    (0.6, 0.5, 0.1, -0.9),
    (-0.7, 0.2, 0.5, 0.6),
)
RANKS, STEPS, RATE, ALPHA = (1, 2), 12, 0.5, 3.0


@dataclasses.dataclass(frozen=True)
class State:
    """Everything that exists after a step. The start has no loss."""

    loss: float | None
    lora_b: Rows
    lora_a: Rows
    weight: Rows
    output: Rows
    merged_weight: Rows
    merged_output: Rows


def state(loss: float | None, lora_a: Rows, lora_b: Rows) -> State:
    output = forward(INPUTS, WEIGHT, BIAS, lora_a, lora_b, ALPHA)
    return State(loss, lora_b, lora_a, WEIGHT, output, added(WEIGHT, delta(lora_a, lora_b, ALPHA)), output)


def run(rank: int) -> list[State]:
    """The state at the start and after each step."""
    nothing = [[0.0] * rank for _ in WEIGHT]
    lora_a: Rows = START_A[:rank]
    lora_b: Rows = nothing
    targets = forward(INPUTS, added(WEIGHT, CHANGE), BIAS, lora_a, nothing, ALPHA)
    states = [state(None, lora_a, lora_b)]
    for _ in range(STEPS):
        loss, lora_a, lora_b = trained(INPUTS, targets, WEIGHT, BIAS, lora_a, lora_b, ALPHA, RATE)
        states.append(state(loss, lora_a, lora_b))
    return states


STATES = {rank: run(rank) for rank in RANKS}
