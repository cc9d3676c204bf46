"""The judge's own runs of the experiment, with the small batch and with the large one.

They share nothing with `experiment.py` or with any solution: this file carries its own data and encoder in plain Python
floats, and takes the gradient of the objective by finite differences. They are computed once, when the checks are
imported, because they do not depend on a submission.
"""

from __future__ import annotations

import dataclasses

from oracle import Rows, accuracy, dot, loss, similarities, slopes

VIEWS_I = (
    (0.7, -0.2, 0.4, 0.1),
    (0.6, 0.3, -0.1, 0.5),
    (-0.4, 0.9, 0.2, -0.3),
    (-0.1, -0.6, 0.8, 0.2),
    (0.2, 0.4, 0.7, -0.5),
    (-0.8, 0.1, -0.3, 0.4),
)
VIEWS_J = (
    (0.5, -0.4, 0.5, 0.3),
    (0.8, 0.1, -0.3, 0.4),
    (-0.2, 0.7, 0.4, -0.5),
    (0.2, -0.7, 0.5, 0.1),
    (0.4, 0.2, 0.5, -0.7),
    (-0.6, 0.3, -0.4, 0.2),
)
ENCODER = ((0.5, 0.2, -0.3), (0.4, -0.1, 0.6), (0.3, 0.4, 0.1), (-0.2, 0.5, 0.3))
SMALL, LARGE, PASSES, RATE_PER_SAMPLE, TEMPERATURE = 2, 6, 4, 0.05, 0.5
DIFFERENCE = 3e-4
"""The step of the finite differences. At this size their error and that of rounding are both near 1e-12."""


@dataclasses.dataclass(frozen=True)
class State:
    """Everything that exists after a step. The start has no loss."""

    loss: float | None
    encoder: Rows
    similarities: Rows
    accuracy: float


def encode(views: Rows, encoder: Rows) -> list[list[float]]:
    """The product of a [N, 4] and a [4, 3] matrix."""
    columns = list(zip(*encoder, strict=True))
    return [[dot(view, column) for column in columns] for view in views]


def state(step_loss: float | None, encoder: Rows) -> State:
    first, second = encode(VIEWS_I, encoder), encode(VIEWS_J, encoder)
    return State(step_loss, encoder, similarities(first, second), accuracy(first, second))


def run(batch: int) -> list[State]:
    """The state at the start and after each step of four passes over the data."""
    encoder: Rows = ENCODER
    states = [state(None, encoder)]
    for step in range(PASSES * len(VIEWS_I) // batch):
        chosen = [(step * batch + offset) % len(VIEWS_I) for offset in range(batch)]
        first, second = [VIEWS_I[row] for row in chosen], [VIEWS_J[row] for row in chosen]

        def objective(trial: Rows, first: Rows = first, second: Rows = second) -> float:
            return loss(encode(first, trial), encode(second, trial), TEMPERATURE)

        step_loss, changes = objective(encoder), slopes(objective, encoder, DIFFERENCE)
        encoder = [
            [value - RATE_PER_SAMPLE * batch * change for value, change in zip(row, line, strict=True)]
            for row, line in zip(encoder, changes, strict=True)
        ]
        states.append(state(step_loss, encoder))
    return states


STATES = {batch: run(batch) for batch in (SMALL, LARGE)}
