# /// mistake
# title = "Scales the base output as well"
# fails = ["forward_hand_value", "layer_start_output"]
# hint = "The base output keeps its size; only the low-rank path is scaled."
# ///
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise ValueError(complaint)


def is_positive(value: object) -> bool:
    return type(value) in (int, float) and 0 < value < math.inf


class LoRALinear(nn.Module):
    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        super().__init__()
        for tensor in (weight,) if bias is None else (weight, bias):
            require(isinstance(tensor, Tensor), "not a tensor")
            require(tensor.dtype in (torch.float32, torch.float64), "neither float32 nor float64")
            require(tensor.dtype == weight.dtype and tensor.device == weight.device, "different dtypes or devices")
            require(bool(tensor.isfinite().all()), "not finite")
        require(weight.dim() == 2 and weight.numel() > 0, "not a matrix with entries")
        require(bias is None or bias.shape == weight.shape[:1], "a bias that does not fit")
        require(type(rank) is int and 1 <= rank <= min(weight.shape), "not a rank")
        require(is_positive(alpha), "not a positive alpha")
        out_features, in_features = weight.shape
        self.weight = nn.Parameter(weight.detach().clone(), requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias.detach().clone(), requires_grad=False)
        self.lora_a = nn.Parameter(torch.randn(rank, in_features, dtype=weight.dtype) / math.sqrt(in_features))
        self.lora_b = nn.Parameter(torch.zeros(out_features, rank, dtype=weight.dtype))
        self.scale = alpha / rank
        self.merged = False
        self.added: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        require(isinstance(x, Tensor) and x.dtype == self.weight.dtype, "not a tensor like the weight")
        require(x.dim() > 0 and x.shape[-1] == self.weight.shape[1], "another number of inputs")
        y = F.linear(x, self.weight, self.bias)
        if not self.merged:
            y = self.scale * (y + x @ self.lora_a.T @ self.lora_b.T)
        return y

    def delta_weight(self) -> Tensor:
        return self.scale * (self.lora_b @ self.lora_a)

    def merge(self) -> None:
        if self.merged:
            return
        self.added = self.delta_weight().detach()
        self.weight.data += self.added
        self.merged = True

    def unmerge(self) -> None:
        if not self.merged:
            return
        self.weight.data -= self.added
        self.merged = False


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    require(is_positive(learning_rate), "not a positive learning rate")
    require(not layer.merged, "merged")
    outputs = layer(inputs)
    require(isinstance(targets, Tensor) and targets.dtype == outputs.dtype, "not a tensor like the outputs")
    require(targets.shape == outputs.shape, "targets of another shape")
    layer.zero_grad()
    loss = F.mse_loss(outputs, targets)
    loss.backward()
    with torch.no_grad():
        for parameter in (layer.lora_a, layer.lora_b):
            parameter -= learning_rate * parameter.grad
    return loss.detach()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    frozen = layer.weight.numel() + (0 if layer.bias is None else layer.bias.numel())
    return layer.lora_a.numel() + layer.lora_b.numel(), frozen
