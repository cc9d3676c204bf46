"""One product with the summed weight; the parameters are the module's own by `register_parameter`; gradients by hand."""

import math
from numbers import Real

import torch
from torch import Tensor, nn


def positive_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < value < math.inf


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        super().__init__()
        tensors = [weight] + ([] if bias is None else [bias])
        if any(not isinstance(tensor, Tensor) for tensor in tensors):
            raise TypeError("weight and bias must be tensors")
        if weight.dtype not in (torch.float32, torch.float64) or any(t.dtype != weight.dtype for t in tensors):
            raise TypeError("weight and bias must be both float32 or both float64")
        if weight.dim() != 2 or weight.numel() == 0 or (bias is not None and bias.shape != (weight.size(0),)):
            raise ValueError("weight must be [out, in] and bias [out]")
        if any(bool((~torch.isfinite(tensor)).any()) for tensor in tensors):
            raise ValueError("weight and bias must be finite")
        if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1 or rank > min(weight.shape):
            raise ValueError("rank must be an int from 1 to min(out, in)")
        if not positive_number(alpha):
            raise ValueError("alpha must be a positive number")
        frozen = {"weight": weight, "bias": bias}
        for name, value in frozen.items():
            copied = None if value is None else nn.Parameter(value.detach().clone(), requires_grad=False)
            self.register_parameter(name, copied)
        out_features, in_features = weight.shape
        start = torch.randn(rank, in_features, dtype=weight.dtype, device=weight.device) * in_features**-0.5
        self.register_parameter("lora_a", nn.Parameter(start))
        self.register_parameter("lora_b", nn.Parameter(torch.zeros_like(weight[:, :1]).repeat(1, rank)))
        self.alpha, self.rank, self.merged = alpha, rank, False

    def delta_weight(self) -> Tensor:
        return torch.einsum("or,ri->oi", self.lora_b, self.lora_a) * self.alpha / self.rank

    def forward(self, x: Tensor) -> Tensor:
        if not isinstance(x, Tensor) or x.dtype != self.weight.dtype:
            raise TypeError("x must be a tensor with the dtype of the weight")
        if x.dim() < 1 or x.size(-1) != self.weight.size(1):
            raise ValueError("the last dimension of x must be the number of inputs")
        weight = self.weight if self.merged else self.weight + self.delta_weight()
        y = torch.matmul(x, weight.t())
        return y if self.bias is None else y + self.bias

    def merge(self) -> None:
        if self.merged:
            return
        self.kept = self.weight.data
        self.weight.data = self.weight.data + self.delta_weight().detach()
        self.merged = True

    def unmerge(self) -> None:
        if not self.merged:
            return
        self.weight.data = self.kept
        self.merged = False


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    if not positive_number(learning_rate):
        raise ValueError("the learning rate must be a positive number")
    if layer.merged:
        raise ValueError("a merged layer has nothing to train")
    outputs = layer(inputs).detach()
    if not isinstance(targets, Tensor) or targets.dtype != outputs.dtype or targets.shape != outputs.shape:
        raise ValueError("targets must be like the outputs")
    # The gradient of the summed weight is error^T x; both matrices take theirs from it by the product rule.
    error = (outputs - targets).reshape(-1, outputs.shape[-1])
    whole = 2 / error.numel() * error.T @ inputs.reshape(-1, inputs.shape[-1])
    scale = layer.alpha / layer.rank
    with torch.no_grad():
        step_a, step_b = scale * layer.lora_b.T @ whole, scale * whole @ layer.lora_a.T
        layer.lora_a.sub_(learning_rate * step_a)
        layer.lora_b.sub_(learning_rate * step_b)
    return error.square().mean()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    out_features, in_features = layer.weight.shape
    return layer.rank * (in_features + out_features), out_features * (in_features + (layer.bias is not None))
