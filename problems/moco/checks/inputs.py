"""Short ways to write the inputs of a check."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from oracle import loss, rows


def matrix(*values: Sequence[float], dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """A matrix from its rows."""
    return torch.tensor(values, dtype=dtype)


def draw(rng: torch.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Normal random numbers that are the same in every run with the same seed."""
    return torch.randn(shape, generator=rng, dtype=dtype)


def batch(
    rng: torch.Generator, size: int, queue: int, width: int, dtype: torch.dtype = torch.float64
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """A query, a key and a queue."""
    return (
        draw(rng, size, width, dtype=dtype),
        draw(rng, size, width, dtype=dtype),
        draw(rng, queue, width, dtype=dtype),
    )


def expected_loss(query: torch.Tensor, key: torch.Tensor, queue: torch.Tensor, temperature: float) -> float:
    """The loss of these tensors by the oracle."""
    return loss(rows(query), rows(key), rows(queue), temperature)


def asking(*tensors: torch.Tensor) -> list[torch.Tensor]:
    """Copies that require grad."""
    return [tensor.clone().requires_grad_() for tensor in tensors]
