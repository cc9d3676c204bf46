"""What the method must give, in plain Python floats: no torch operation computes anything here.

Independent on purpose: no autograd, no reference solution. Rows are lists of floats (`rows(tensor)` converts exactly), and
derivatives are finite differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch

EPSILON = 1e-12

Row = Sequence[float]
Rows = Sequence[Row]


def rows(tensor: torch.Tensor) -> list[list[float]]:
    """The values of a matrix as Python floats. Exact: every float32 is a float64."""
    values: list[list[float]] = tensor.detach().tolist()
    return values


def unit(row: Row) -> list[float]:
    """The row over its L2 norm, or over 1e-12 where the norm is smaller."""
    divisor = max(math.hypot(*row), EPSILON)
    return [value / divisor for value in row]


def units(matrix: Rows) -> list[list[float]]:
    return [unit(row) for row in matrix]


def dot(left: Row, right: Row) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def row_loss(query: Row, key_unit: Row, queue_units: Rows, temperature: float) -> float:
    """The loss of one query; key and queue are normalized already.

    Written as log(1 + sum of exp(negative - positive)), which is logsumexp over all candidates minus the positive.
    """
    query_unit = unit(query)
    positive = dot(query_unit, key_unit)
    gaps = [(dot(query_unit, negative) - positive) / temperature for negative in queue_units]
    highest = max(gaps)
    if highest <= 0.0:
        return math.log1p(math.fsum(math.exp(gap) for gap in gaps))
    return highest + math.log(math.exp(-highest) + math.fsum(math.exp(gap - highest) for gap in gaps))


def loss(query: Rows, key: Rows, queue: Rows, temperature: float) -> float:
    """The mean loss of a batch."""
    queue_units = units(queue)
    losses = [row_loss(q, unit(k), queue_units, temperature) for q, k in zip(query, key, strict=True)]
    return math.fsum(losses) / len(losses)


def slope(function: Callable[[float], float], at: float, step: float) -> float:
    """The derivative by central differences over four points; the error falls with the fourth power of `step`."""
    near = function(at + step) - function(at - step)
    far = function(at + 2 * step) - function(at - 2 * step)
    return (8 * near - far) / (12 * step)


def loss_gradient(query: Rows, key: Rows, queue: Rows, temperature: float, step: float = 2e-4) -> list[list[float]]:
    """The gradient of the mean loss with respect to every entry of `query`."""
    queue_units = units(queue)
    gradient = []
    for q, k in zip(query, key, strict=True):
        key_unit = unit(k)
        gradient.append(
            [
                slope(
                    lambda value, q=q, k=key_unit, column=column: row_loss(  # type: ignore[misc]
                        [*q[:column], value, *q[column + 1 :]], k, queue_units, temperature
                    ),
                    q[column],
                    step,
                )
                / len(query)
                for column in range(len(q))
            ]
        )
    return gradient


def blend(query: Rows, key: Rows, momentum: float) -> list[list[float]]:
    """The exponential moving average of two matrices."""
    return [
        [momentum * k + (1.0 - momentum) * q for q, k in zip(query_row, key_row, strict=True)]
        for query_row, key_row in zip(query, key, strict=True)
    ]


def ring(queue: Rows, keys: Rows, pointer: int) -> tuple[list[list[float]], int]:
    """Write the normalized keys one after another; what is written later replaces what was written before."""
    dictionary = [list(row) for row in queue]
    for key in keys:
        dictionary[pointer] = unit(key)
        pointer = (pointer + 1) % len(dictionary)
    return dictionary, pointer
