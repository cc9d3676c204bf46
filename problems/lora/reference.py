"""LoRA: the reference solution. The helpers and the contract are those of the starter."""

import math
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

# The contract -----------------------------------------------------------------------------------------------------


def validate_base(weight: Any, bias: Any) -> None:
    """Refuse all but a finite weight [out, in], float32 or float64, with a bias [out] of its dtype, or with None."""
    for value, name in ((weight, "weight"), (bias, "bias")):
        if value is None and name == "bias":
            continue
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, not {type(value).__name__}")
        if value.dtype not in (torch.float32, torch.float64):
            raise TypeError(f"{name} must be float32 or float64, not {value.dtype}")
        if not bool(torch.isfinite(value).all()):
            raise ValueError(f"{name} holds a NaN or an infinity")
    if weight.dim() != 2:
        raise ValueError(f"weight must have two dimensions, not {weight.dim()}")
    if bias is not None and bias.shape != weight.shape[:1]:
        raise ValueError(f"bias must have shape {list(weight.shape[:1])}, not {list(bias.shape)}")
    if bias is not None and (bias.dtype != weight.dtype or bias.device != weight.device):
        raise TypeError("bias must have the dtype and the device of weight")


def validate_rank(rank: Any, weight: Tensor) -> None:
    """Refuse all but an exact int from 1 to the smaller side of the weight. A weight without entries has no rank."""
    if type(rank) is not int:
        raise TypeError(f"rank must be an int, not {type(rank).__name__}")
    if not 1 <= rank <= min(weight.shape):
        raise ValueError(f"rank must be from 1 to {min(weight.shape)}, not {rank}")


def validate_positive(value: Any, name: str) -> None:
    """Refuse all but a finite, positive int or float. A bool is not a number here."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be an int or a float, not {type(value).__name__}")
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{name} must be finite and positive, not {value}")


def validate_input(x: Any, weight: Tensor) -> None:
    """Refuse all but a tensor [..., in] that has the dtype of the weight."""
    if not isinstance(x, Tensor):
        raise TypeError(f"x must be a torch.Tensor, not {type(x).__name__}")
    if x.dtype != weight.dtype:
        raise TypeError(f"x must be {weight.dtype} like the weight, not {x.dtype}")
    if x.dim() == 0 or x.shape[-1] != weight.shape[1]:
        raise ValueError(f"the last dimension of x must be {weight.shape[1]}, but its shape is {list(x.shape)}")


# The method -------------------------------------------------------------------------------------------------------


class LoRALinear(nn.Module):
    """A linear layer with frozen weights and a trainable change of low rank: W x + b + (alpha / rank) B A x.

    Holds, under these names:
        weight: [out, in], a frozen copy of the given weight.
        bias: [out], a frozen copy of the given bias, or None.
        lora_a: [rank, in], a trainable parameter, random at first.
        lora_b: [out, rank], a trainable parameter, zero at first.
        merged: a bool, whether the change is added to `weight` at the moment.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, alpha: float) -> None:
        """rank: an int from 1 to min(out, in). alpha: a finite, positive int or float.

        Changes none of the given tensors, and keeps no memory of theirs.
        Raises TypeError or ValueError for arguments that break this contract.
        """
        super().__init__()
        validate_base(weight, bias)
        validate_rank(rank, weight)
        validate_positive(alpha, "alpha")

        # A parameter is a leaf, whatever graph the given tensors have.
        self.weight = nn.Parameter(weight.clone(), requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias.clone(), requires_grad=False)
        out_features, in_features = weight.shape[0], weight.shape[1]
        self.lora_a = nn.Parameter(torch.randn(rank, in_features).to(self.weight) / math.sqrt(in_features))
        self.lora_b = nn.Parameter(self.weight.new_zeros(out_features, rank))
        self.scaling = alpha / rank
        self._weight_before: Tensor | None = None

    @property
    def merged(self) -> bool:
        """Whether the change is in `weight`."""
        return self._weight_before is not None

    def forward(self, x: Tensor) -> Tensor:
        """x: [..., in], with the dtype of the weight. Returns [..., out].

        Raises TypeError or ValueError for an argument that breaks this contract.
        """
        validate_input(x, self.weight)

        output = functional.linear(x, self.weight, self.bias)
        if self.merged:
            return output
        return output + self.scaling * functional.linear(functional.linear(x, self.lora_a), self.lora_b)

    def delta_weight(self) -> Tensor:
        """The change of the weight, (alpha / rank) B A: a tensor [out, in]."""
        return self.scaling * (self.lora_b @ self.lora_a)

    def merge(self) -> None:
        """Add the change to `weight`, so that the forward pass is one linear map. Does nothing if it is merged."""
        if not self.merged:
            self._weight_before = self.weight.clone()  # lora_a and lora_b may change until it is needed
            self.weight += self.delta_weight().detach()

    def unmerge(self) -> None:
        """Restore the weight from before the merge. Does nothing if it is not merged."""
        if self._weight_before is not None:
            self.weight.copy_(self._weight_before)
            self._weight_before = None


def train_step(layer: LoRALinear, inputs: Tensor, targets: Tensor, learning_rate: float) -> Tensor:
    """One step of gradient descent on the mean squared error, for `lora_a` and `lora_b` alone.

    Shapes:
        inputs: [..., in].
        targets: [..., out], exactly the shape of the layer's output.

    learning_rate: a finite, positive int or float.

    Returns the loss from before the step: a detached scalar tensor (shape []).
    Raises TypeError or ValueError for arguments that break this contract, and for a layer that is merged.
    """
    validate_positive(learning_rate, "learning_rate")
    if layer.merged:
        raise ValueError("a merged layer cannot be trained; unmerge it first")
    outputs = layer(inputs)
    if not isinstance(targets, Tensor) or targets.dtype != outputs.dtype:
        raise TypeError(f"targets must be a tensor of {outputs.dtype}")
    if targets.shape != outputs.shape:
        raise ValueError(f"targets must have shape {list(outputs.shape)}, not {list(targets.shape)}")

    loss = functional.mse_loss(outputs, targets)
    trained = (layer.lora_a, layer.lora_b)
    gradients = torch.autograd.grad(loss, trained)  # leaves whatever is in `.grad` alone
    with torch.no_grad():
        for parameter, gradient in zip(trained, gradients, strict=True):
            parameter -= learning_rate * gradient
    return loss.detach()


def parameter_counts(layer: LoRALinear) -> tuple[int, int]:
    """How many numbers of the layer are trained, and how many are frozen: two Python ints."""
    trained = layer.lora_a.numel() + layer.lora_b.numel()
    return trained, layer.weight.numel() + (0 if layer.bias is None else layer.bias.numel())
