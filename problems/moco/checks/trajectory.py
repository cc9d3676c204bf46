"""The judge's own run of the experiment, from the first step to the last.

It shares nothing with `experiment.py` or with any solution: it carries its own data, encoders, dictionary and pointer in
plain Python floats, and takes the gradient of the objective by finite differences. It is computed once, when
the checks are imported, because it does not depend on a submission.
"""

from __future__ import annotations

import dataclasses

from oracle import Rows, blend, dot, ring, row_loss, slope, unit, units

VIEWS_A = (
    (0.9, 0.1, -0.3, 0.4),
    (-0.5, 0.8, 0.2, 0.1),
    (0.3, -0.7, 0.6, -0.2),
    (-0.2, -0.4, -0.8, 0.5),
    (0.6, 0.5, 0.1, -0.9),
    (-0.7, 0.2, 0.5, 0.6),
)
VIEWS_B = (
    (0.8, 0.2, -0.2, 0.5),
    (-0.6, 0.7, 0.3, -0.1),
    (0.2, -0.8, 0.5, 0.1),
    (-0.1, -0.5, -0.7, 0.3),
    (0.7, 0.3, 0.2, -0.8),
    (-0.8, 0.1, 0.3, 0.7),
)
ENCODER = ((0.4, -0.3, 0.2), (0.1, 0.5, -0.4), (-0.2, 0.3, 0.6), (0.5, 0.2, -0.1))
DICTIONARY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0), (0.0, -0.6, 0.8))
STEPS, BATCH, RATE, MOMENTUM, TEMPERATURE = 12, 2, 0.05, 0.8, 0.3
DIFFERENCE = 3e-4
"""The step of the finite differences. At this size their error and that of rounding are both near 1e-12."""


@dataclasses.dataclass(frozen=True)
class State:
    """Everything that exists after a step. The start has no loss."""

    loss: float | None
    query_encoder: Rows
    key_encoder: Rows
    dictionary: Rows
    pointer: int


def encode(views: Rows, encoder: Rows) -> list[list[float]]:
    """The product of a [B, 4] and a [4, 3] matrix."""
    columns = list(zip(*encoder, strict=True))
    return [[dot(view, column) for column in columns] for view in views]


def objective(encoder: Rows, views: Rows, key_units: Rows, queue_units: Rows) -> float:
    """The batch loss as a function of the query encoder alone: keys and dictionary are constants."""
    queries = encode(views, encoder)
    losses = [row_loss(q, k, queue_units, TEMPERATURE) for q, k in zip(queries, key_units, strict=True)]
    return sum(losses) / len(losses)


def gradient(encoder: Rows, views: Rows, key_units: Rows, queue_units: Rows) -> list[list[float]]:
    """The gradient of `objective`, scalar by scalar."""
    work = [list(row) for row in encoder]
    result = []
    for i, row in enumerate(encoder):
        result.append([])
        for j, value in enumerate(row):

            def moved(trial: float, i: int = i, j: int = j) -> float:
                work[i][j] = trial
                return objective(work, views, key_units, queue_units)

            result[i].append(slope(moved, value, DIFFERENCE))
            work[i][j] = value
    return result


def run(steps: int = STEPS) -> list[State]:
    """The state at the start and after each step."""
    query_encoder: Rows = ENCODER
    key_encoder: Rows = ENCODER
    dictionary: Rows = DICTIONARY
    pointer = 0
    states = [State(None, query_encoder, key_encoder, dictionary, pointer)]
    for step in range(steps):
        chosen = [(step * BATCH + offset) % len(VIEWS_A) for offset in range(BATCH)]
        views = [VIEWS_A[row] for row in chosen]
        keys = encode([VIEWS_B[row] for row in chosen], key_encoder)
        key_units, queue_units = [unit(key) for key in keys], units(dictionary)
        loss = objective(query_encoder, views, key_units, queue_units)
        slopes = gradient(query_encoder, views, key_units, queue_units)
        query_encoder = [
            [value - RATE * change for value, change in zip(row, changes, strict=True)]
            for row, changes in zip(query_encoder, slopes, strict=True)
        ]
        key_encoder = blend(query_encoder, key_encoder, MOMENTUM)
        dictionary, pointer = ring(dictionary, keys, pointer)
        states.append(State(loss, query_encoder, key_encoder, dictionary, pointer))
    return states


STATES = run()
