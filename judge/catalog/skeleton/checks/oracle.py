"""The expected values, in plain Python: an oracle that shares no code with the reference can't share its mistakes."""

from __future__ import annotations

import math
from collections.abc import Sequence


def standardized(row: Sequence[float], epsilon: float) -> list[float]:
    """One row by the formula of the statement."""
    mean = math.fsum(row) / len(row)
    variance = math.fsum((value - mean) ** 2 for value in row) / len(row)
    return [(value - mean) / math.sqrt(variance + epsilon) for value in row]


def slope(row: Sequence[float], epsilon: float, of: int, by: int, step: float = 1e-4) -> float:
    """The derivative of entry `of` of the result by entry `by` of the row, by finite differences."""

    def result(moved: float) -> float:
        changed = [value + moved * (place == by) for place, value in enumerate(row)]
        return standardized(changed, epsilon)[of]

    return (8 * (result(step) - result(-step)) - (result(2 * step) - result(-2 * step))) / (12 * step)
