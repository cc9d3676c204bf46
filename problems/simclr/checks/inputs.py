"""Short ways to write the inputs of a check."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from oracle import loss, rows


def matrix(*values: Sequence[float], dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """A matrix from its rows."""
    return torch.tensor(values, dtype=dtype)


def views(
    rng: torch.Generator, size: int, width: int, dtype: torch.dtype = torch.float64
) -> tuple[torch.Tensor, torch.Tensor]:
    """Two views of a batch: normal random numbers that are the same in every run with the same seed."""
    first, second = torch.randn(2, size, width, generator=rng, dtype=dtype)
    return first.clone(), second.clone()


def expected_loss(first: torch.Tensor, second: torch.Tensor, temperature: float) -> float:
    """The loss of these tensors by the oracle."""
    return loss(rows(first), rows(second), temperature)


def asking(*tensors: torch.Tensor) -> list[torch.Tensor]:
    """Copies that require grad."""
    return [tensor.clone().requires_grad_() for tensor in tensors]


def named(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
