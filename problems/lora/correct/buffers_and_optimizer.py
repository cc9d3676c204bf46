"""The base in buffers; Kaiming's uniform distribution; the merge keeps what it added; SGD from torch.optim."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def refuse_if(condition: object, reason: str) -> None:
    if condition:
        raise ValueError(reason)


def real(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value > 0


class LoRALinear(nn.Module):
    bias: Tensor | None

    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        super().__init__()
        for tensor in (weight,) if bias is None else (weight, bias):
            refuse_if(not isinstance(tensor, Tensor), "a tensor is needed")
            refuse_if(tensor.dtype not in (torch.float32, torch.float64), "float32 or float64 is needed")
            refuse_if(tensor.dtype != weight.dtype or tensor.device != weight.device, "one dtype and device is needed")
            refuse_if(not tensor.isfinite().all(), "finite numbers are needed")
        refuse_if(weight.ndim != 2 or 0 in weight.shape, "weight must be [out, in]")
        refuse_if(bias is not None and tuple(bias.shape) != (weight.shape[0],), "bias must be [out]")
        refuse_if(type(rank) is not int or not 0 < rank <= min(weight.shape), "rank must be from 1 to min(out, in)")
        refuse_if(not real(alpha), "alpha must be a positive number")
        self.register_buffer("weight", weight.detach().clone())
        self.register_buffer("bias", None if bias is None else bias.detach().clone())
        self.lora_a = nn.Parameter(torch.empty(rank, weight.shape[1], dtype=weight.dtype))
        self.lora_b = nn.Parameter(torch.zeros(weight.shape[0], rank, dtype=weight.dtype))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self.scale = alpha / rank
        self.added: Tensor | None = None

    @property
    def merged(self) -> bool:
        return self.added is not None

    def forward(self, x: Tensor) -> Tensor:
        refuse_if(not isinstance(x, Tensor) or x.dtype != self.weight.dtype, "x must have the dtype of the weight")
        refuse_if(x.ndim == 0 or x.shape[-1] != self.weight.shape[1], "x must be [..., in]")
        y = F.linear(x, self.weight, self.bias)
        return y if self.merged else y + F.linear(F.linear(x, self.scale * self.lora_a), self.lora_b)

    def delta_weight(self) -> Tensor:
        return torch.mm(self.lora_b, self.lora_a) * self.scale

    @torch.no_grad()
    def merge(self) -> None:
        if self.added is None:
            self.added = self.delta_weight()
            self.weight.add_(self.added)

    @torch.no_grad()
    def unmerge(self) -> None:
        if self.added is not None:
            self.weight.sub_(self.added)
            self.added = None


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    refuse_if(not real(learning_rate), "the learning rate must be a positive number")
    refuse_if(layer.merged, "unmerge the layer first")
    outputs = layer(inputs)
    refuse_if(not isinstance(targets, Tensor) or targets.shape != outputs.shape, "targets must be like the outputs")
    refuse_if(targets.dtype != outputs.dtype, "targets must have the dtype of the outputs")
    optimizer = torch.optim.SGD([layer.lora_a, layer.lora_b], lr=learning_rate)
    optimizer.zero_grad()
    loss = F.mse_loss(outputs, targets)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    trained = sum(p.numel() for p in layer.parameters() if p.requires_grad)
    frozen = [layer.weight] if layer.bias is None else [layer.weight, layer.bias]
    return trained, sum(tensor.numel() for tensor in frozen)
