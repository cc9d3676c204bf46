"""What the layer must give, in plain Python floats: no torch operation computes anything here.

Independent on purpose: no autograd, no module, no reference solution. Matrices are lists of rows (`rows(tensor)` converts
exactly), and derivatives are finite differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch

Row = Sequence[float]
Rows = Sequence[Row]


def rows(tensor: torch.Tensor) -> list[list[float]]:
    """The values of a matrix as Python floats. Exact: every float32 is a float64."""
    values: list[list[float]] = tensor.detach().tolist()
    return values


def dot(left: Row, right: Row) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def product(left: Rows, right: Rows) -> list[list[float]]:
    """The matrix product."""
    columns = list(zip(*right, strict=True))
    return [[dot(row, column) for column in columns] for row in left]


def delta(lora_a: Rows, lora_b: Rows, alpha: float) -> list[list[float]]:
    """The change of the weight: alpha over the rank, times B A."""
    scale = alpha / len(lora_a)
    return [[scale * value for value in row] for row in product(lora_b, lora_a)]


def added(left: Rows, right: Rows) -> list[list[float]]:
    return [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(left, right, strict=True)]


def forward(inputs: Rows, weight: Rows, bias: Row, lora_a: Rows, lora_b: Rows, alpha: float) -> list[list[float]]:
    """The output for each row of the inputs, through the summed weight."""
    whole = added(weight, delta(lora_a, lora_b, alpha))
    return [[dot(line, x) + shift for line, shift in zip(whole, bias, strict=True)] for x in inputs]


def mean_squared_error(outputs: Rows, targets: Rows) -> float:
    """The mean over all entries."""
    squares = [
        (a - b) ** 2 for one, other in zip(outputs, targets, strict=True) for a, b in zip(one, other, strict=True)
    ]
    return math.fsum(squares) / len(squares)


def slope(function: Callable[[float], float], at: float, step: float) -> float:
    """The derivative by central differences over four points; the error falls with the fourth power of `step`."""
    near = function(at + step) - function(at - step)
    far = function(at + 2 * step) - function(at - 2 * step)
    return (8 * near - far) / (12 * step)


def slopes(function: Callable[[Rows], float], at: Rows, step: float = 1e-3) -> list[list[float]]:
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


def descended(parameter: Rows, gradient: Rows, learning_rate: float) -> list[list[float]]:
    """The parameter after one step of gradient descent."""
    return [
        [value - learning_rate * change for value, change in zip(row, changes, strict=True)]
        for row, changes in zip(parameter, gradient, strict=True)
    ]


def trained(
    inputs: Rows, targets: Rows, weight: Rows, bias: Row, lora_a: Rows, lora_b: Rows, alpha: float, learning_rate: float
) -> tuple[float, list[list[float]], list[list[float]]]:
    """One training step: the loss from before, and the next lora_a and lora_b."""

    def loss(a: Rows, b: Rows) -> float:
        return mean_squared_error(forward(inputs, weight, bias, a, b, alpha), targets)

    gradient_a = slopes(lambda a: loss(a, lora_b), lora_a)
    gradient_b = slopes(lambda b: loss(lora_a, b), lora_b)
    return (
        loss(lora_a, lora_b),
        descended(lora_a, gradient_a, learning_rate),
        descended(lora_b, gradient_b, learning_rate),
    )
