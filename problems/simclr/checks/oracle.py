"""What the method must give, in plain Python floats: no torch operation computes anything here.

Independent on purpose: no autograd, no mask, no reference solution. Rows are lists of floats (`rows(tensor)` converts
exactly), candidates are counted one by one, and derivatives are finite differences.
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


def dot(left: Row, right: Row) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def similarities(first: Rows, second: Rows) -> list[list[float]]:
    """The [2N, 2N] matrix, entry by entry."""
    units = [unit(row) for row in (*first, *second)]
    return [[dot(left, right) for right in units] for left in units]


def partner(anchor: int, size: int) -> int:
    """The place of the other view of the same sample among 2N representations."""
    return anchor + size if anchor < size else anchor - size


def anchor_loss(anchor: int, units: Rows, temperature: float) -> float:
    """The loss of one of the 2N anchors; all representations are normalized already.

    Written as log(1 + sum of exp(negative - positive)), which is logsumexp over all candidates minus the positive.
    """
    mine, positive_place = units[anchor], partner(anchor, len(units) // 2)
    positive = dot(mine, units[positive_place])
    gaps = [
        (dot(mine, other) - positive) / temperature
        for place, other in enumerate(units)
        if place not in (anchor, positive_place)
    ]
    highest = max(gaps, default=0.0)
    if highest <= 0.0:
        return math.log1p(math.fsum(math.exp(gap) for gap in gaps))
    return highest + math.log(math.exp(-highest) + math.fsum(math.exp(gap - highest) for gap in gaps))


def loss(first: Rows, second: Rows, temperature: float) -> float:
    """The mean loss over all 2N anchors."""
    units = [unit(row) for row in (*first, *second)]
    return math.fsum(anchor_loss(anchor, units, temperature) for anchor in range(len(units))) / len(units)


def accuracy(first: Rows, second: Rows) -> float:
    """The share of anchors whose positive is strictly more similar than every negative."""
    table, size = similarities(first, second), len(first)
    hits = 0
    for anchor, line in enumerate(table):
        positive = line[partner(anchor, size)]
        others = [value for place, value in enumerate(line) if place not in (anchor, partner(anchor, size))]
        hits += all(positive > value for value in others)
    return hits / len(table)


def slope(function: Callable[[float], float], at: float, step: float) -> float:
    """The derivative by central differences over four points; the error falls with the fourth power of `step`."""
    near = function(at + step) - function(at - step)
    far = function(at + 2 * step) - function(at - 2 * step)
    return (8 * near - far) / (12 * step)


def slopes(function: Callable[[Rows], float], at: Rows, step: float) -> list[list[float]]:
    """The derivatives of `function` with respect to every entry of a matrix, one at a time."""
    work = [list(row) for row in at]
    result: list[list[float]] = []
    for i, row in enumerate(at):
        result.append([])
        for j, value in enumerate(row):

            def moved(trial: float, i: int = i, j: int = j) -> float:
                work[i][j] = trial
                return function(work)

            result[i].append(slope(moved, value, step))
            work[i][j] = value
    return result


def loss_gradients(
    first: Rows, second: Rows, temperature: float, step: float = 2e-4
) -> tuple[list[list[float]], list[list[float]]]:
    """The gradients of the mean loss with respect to both views."""
    return (
        slopes(lambda moved: loss(moved, second, temperature), first, step),
        slopes(lambda moved: loss(first, moved, temperature), second, step),
    )
