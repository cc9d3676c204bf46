"""Short ways to make layers and inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from sandbox.checks import ensure

ALPHA, RANK = 3.0, 2
"""Neither alpha, nor 1 / rank, nor 1 is the scale: that is 1.5."""


def matrix(*values: Sequence[float], dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """A matrix from its rows."""
    return torch.tensor(values, dtype=dtype)


def draw(rng: torch.Generator, *shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Normal random numbers that are the same in every run with the same seed."""
    return torch.randn(shape, generator=rng, dtype=dtype)


class Parts:
    """The four tensors of a layer that maps four numbers to three with rank two, all of them random."""

    def __init__(self, rng: torch.Generator, dtype: torch.dtype = torch.float64, *, bias: bool = True) -> None:
        self.weight = draw(rng, 3, 4, dtype=dtype)
        self.bias = draw(rng, 3, dtype=dtype) if bias else None
        self.lora_a = draw(rng, RANK, 4, dtype=dtype)
        self.lora_b = draw(rng, 3, RANK, dtype=dtype)

    def layer(self, solution: Any) -> Any:
        """A layer of the submission with these tensors in it."""
        layer = solution.LoRALinear(self.weight, self.bias, RANK, ALPHA)
        layer.assign({"lora_a": self.lora_a, "lora_b": self.lora_b})
        return layer

    @property
    def delta(self) -> torch.Tensor:
        return ALPHA / RANK * (self.lora_b.double() @ self.lora_a.double())

    def output(self, x: torch.Tensor) -> torch.Tensor:
        """What the layer must return: computed in float64, through the summed weight."""
        whole = self.weight.double() + self.delta
        shift = 0.0 if self.bias is None else self.bias.double()
        return (x.double() @ whole.T + shift).to(x.dtype)


def parameter(layer: Any, name: str) -> Any:
    """One parameter of the layer; fails the check if there is none of that name."""
    found = layer.parameters()
    ensure(name in found, f"The layer has no parameter that is named {name}.")
    return found[name]


def held(layer: Any) -> dict[str, torch.Tensor]:
    """Parameters and buffers by name: a frozen tensor may be either."""
    return layer.buffers() | {name: item.value for name, item in layer.parameters().items()}


def named(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
