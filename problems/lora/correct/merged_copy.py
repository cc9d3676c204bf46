"""A second weight for the merged state is not needed: the base is rebuilt from a copy; backward with cleared gradients."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


def accept(good: bool, complaint: str) -> None:
    if not good:
        raise ValueError(complaint)


def is_float_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype in (torch.float32, torch.float64)


def is_positive(value: Any) -> bool:
    if value is True or value is False or not isinstance(value, (int, float)):
        return False
    return not math.isnan(value) and not math.isinf(value) and value > 0


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        accept(is_float_tensor(weight) and weight.ndim == 2 and weight.numel() > 0, "weight must be a float matrix")
        accept(bool(weight.isfinite().all()), "weight must be finite")
        if bias is not None:
            accept(is_float_tensor(bias) and bias.dtype == weight.dtype, "bias must have the dtype of weight")
            accept(bias.ndim == 1 and len(bias) == len(weight), "bias must have one entry an output")
            accept(bool(bias.isfinite().all()), "bias must be finite")
        accept(type(rank) is int and rank in range(1, min(weight.shape) + 1), "rank is out of range")
        accept(is_positive(alpha), "alpha must be positive")
        super().__init__()
        with torch.no_grad():
            self.weight = nn.Parameter(torch.empty_like(weight).copy_(weight), requires_grad=False)
            self.bias = None
            if bias is not None:
                self.bias = nn.Parameter(torch.empty_like(bias).copy_(bias), requires_grad=False)
        self.lora_a = nn.Parameter(nn.init.normal_(weight.new_empty(rank, weight.shape[1]), std=1 / rank / 4))
        self.lora_b = nn.Parameter(weight.new_zeros(weight.shape[0], rank))
        self.alpha, self.rank = alpha, rank
        self.merged = False
        self.register_buffer("base", None, persistent=False)

    def extra(self, x: Tensor) -> Tensor:
        return (self.alpha / self.rank) * ((x @ self.lora_a.mT) @ self.lora_b.mT)

    def forward(self, x: Tensor) -> Tensor:
        accept(isinstance(x, Tensor) and x.dtype is self.weight.dtype, "x must have the dtype of weight")
        accept(x.ndim > 0 and x.shape[-1] == self.weight.shape[1], "x must have as many columns as weight")
        output = x @ self.weight.mT
        if not self.merged:
            output = output + self.extra(x)
        return output if self.bias is None else output + self.bias

    def delta_weight(self) -> Tensor:
        # The low-rank path of the unit vectors is the change, transposed.
        return self.extra(torch.eye(self.weight.shape[1], dtype=self.weight.dtype)).T

    def merge(self) -> None:
        if not self.merged:
            self.base = self.weight.detach().clone()
            self.weight.data.copy_(self.base + self.delta_weight().detach())
        self.merged = True

    def unmerge(self) -> None:
        if self.merged:
            self.weight.data.copy_(self.base)
            self.base = None
        self.merged = False


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    accept(is_positive(learning_rate), "the learning rate must be positive")
    accept(layer.merged is False, "the layer is merged")
    for parameter in layer.parameters():
        parameter.grad = None
    prediction = layer(inputs)
    accept(is_float_tensor(targets) and targets.dtype == prediction.dtype, "targets have another dtype")
    accept(targets.shape == prediction.shape, "targets have another shape")
    loss = functional.mse_loss(prediction, targets, reduction="sum") / targets.numel()
    loss.backward()
    for parameter in (layer.lora_a, layer.lora_b):
        parameter.data.add_(parameter.grad, alpha=-learning_rate)
    return loss.detach()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    named = {name: getattr(layer, name) for name in ("lora_a", "lora_b", "weight", "bias")}
    sizes = {name: 0 if value is None else math.prod(value.shape) for name, value in named.items()}
    return sizes["lora_a"] + sizes["lora_b"], sizes["weight"] + sizes["bias"]
