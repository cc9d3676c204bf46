"""A sum of outer products, one for each row of A; a set of the names that are trained; `addmm` where it fits."""

import math

import torch
from torch import Tensor, nn

TRAINED = ("lora_a", "lora_b")


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        super().__init__()
        self._look_at(weight, bias)
        if type(rank) is not int:
            raise TypeError("rank must be an int")
        if rank <= 0 or rank > weight.shape[0] or rank > weight.shape[1]:
            raise ValueError("rank does not fit the weight")
        if type(alpha) not in (int, float):
            raise TypeError("alpha must be a number")
        if not (alpha > 0 and alpha != math.inf):
            raise ValueError("alpha must be finite and positive")
        rows, columns = weight.shape
        self.weight = nn.Parameter(weight.detach().clone())
        self.bias = bias if bias is None else nn.Parameter(bias.detach().clone())
        self.lora_a = nn.Parameter((2 * torch.rand(rank, columns, dtype=weight.dtype) - 1) / math.sqrt(columns))
        self.lora_b = nn.Parameter(torch.zeros(rows, rank, dtype=weight.dtype))
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(name in TRAINED)
        self._scale = alpha / rank
        self._change: list[Tensor] = []

    @staticmethod
    def _look_at(weight: Tensor, bias: Tensor | None) -> None:
        if not isinstance(weight, Tensor) or not isinstance(bias, (Tensor, type(None))):
            raise TypeError("weight must be a tensor, bias a tensor or None")
        if weight.dtype not in (torch.float32, torch.float64):
            raise TypeError("weight must be float32 or float64")
        if weight.ndim != 2 or min(weight.shape) == 0 or not torch.isfinite(weight).all():
            raise ValueError("weight must be a finite matrix")
        if bias is not None:
            if bias.dtype != weight.dtype or bias.device != weight.device:
                raise TypeError("bias must be like weight")
            if bias.shape != weight.shape[:1] or not torch.isfinite(bias).all():
                raise ValueError("bias must be finite, one number an output")

    @property
    def merged(self) -> bool:
        return len(self._change) > 0

    def forward(self, x: Tensor) -> Tensor:
        if not isinstance(x, Tensor):
            raise TypeError("x must be a tensor")
        if x.dtype != self.weight.dtype or x.ndim == 0 or x.shape[-1] != self.weight.shape[1]:
            raise ValueError("x does not fit the weight")
        flat = x.reshape(-1, x.shape[-1])
        output = flat @ self.weight.T
        if not self.merged:
            output = torch.addmm(output, flat @ self.lora_a.T, self.lora_b.T, alpha=self._scale)
        if self.bias is not None:
            output = output + self.bias
        return output.reshape(*x.shape[:-1], -1) if x.numel() else output.reshape(*x.shape[:-1], len(self.weight))

    def delta_weight(self) -> Tensor:
        pairs = zip(self.lora_a.unbind(0), self.lora_b.unbind(1), strict=True)
        return self._scale * torch.stack([torch.outer(b, a) for a, b in pairs]).sum(dim=0)

    def merge(self) -> None:
        if not self.merged:
            self._change.append(self.delta_weight().detach())
            self.weight.data += self._change[0]

    def unmerge(self) -> None:
        while self._change:
            self.weight.data -= self._change.pop()


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    if type(learning_rate) not in (int, float) or not (math.isfinite(learning_rate) and learning_rate > 0):
        raise ValueError("learning_rate must be a finite, positive number")
    if layer.merged:
        raise ValueError("the layer is merged")
    if not isinstance(targets, Tensor):
        raise TypeError("targets must be a tensor")
    difference = layer(inputs) - targets.expand(targets.shape)
    if difference.shape != targets.shape or difference.dtype != targets.dtype or targets.shape[:-1] != inputs.shape[:-1]:
        raise ValueError("targets must be like the outputs")
    loss = (difference * difference).mean()
    parameters = [getattr(layer, name) for name in TRAINED]
    steps = torch.autograd.grad(loss, parameters)
    for parameter, step in zip(parameters, steps, strict=True):
        parameter.data = parameter.data - learning_rate * step
    return loss.detach()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    counts = {True: 0, False: 0}
    for parameter in layer.parameters():
        counts[parameter.requires_grad] += parameter.numel()
    return counts[True], counts[False]
