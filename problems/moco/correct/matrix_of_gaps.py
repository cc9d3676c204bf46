"""A logsumexp of gaps to the positive, with a zero for the positive itself; `where` for the extremes; a list of rows."""

import math
from typing import Any

import torch
from torch import Tensor


def tensors_or_error(values: dict[str, Any]) -> None:
    reference = None
    for name, value in values.items():
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{name}: a tensor is needed")
        if value.dtype is not torch.float32 and value.dtype is not torch.float64:
            raise TypeError(f"{name}: float32 or float64 is needed")
        reference = value if reference is None else reference
        if value.dtype != reference.dtype or value.device != reference.device:
            raise ValueError(f"{name}: another dtype or device than the first argument")
        if not bool((value.abs() < math.inf).all()):
            raise ValueError(f"{name}: not finite")


def directions(matrix: Tensor) -> Tensor:
    lengths = torch.sqrt(torch.square(matrix).sum(dim=1, keepdim=True).clamp(min=1e-24))
    return matrix / lengths


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    tensors_or_error({"query": query, "key": key, "queue": queue})
    batch, width = query.shape if query.ndim == 2 else (0, 0)
    if batch == 0 or width == 0 or key.shape != (batch, width):
        raise ValueError("query and key must be [B, D]")
    if queue.ndim != 2 or queue.shape[0] == 0 or queue.shape[1] != width:
        raise ValueError("queue must be [K, D]")
    if temperature is True or temperature is False or not isinstance(temperature, (float, int)):
        raise TypeError("temperature must be a number")
    if math.isnan(temperature) or math.isinf(temperature) or temperature <= 0:
        raise ValueError("temperature must be positive and finite")
    q = directions(query)
    positive = q.mul(directions(key.detach())).sum(dim=1, keepdim=True)
    gaps = (q.mm(directions(queue.detach()).t()) - positive) / temperature
    # The positive has a gap of zero to itself, so it adds e^0 to the sum.
    return torch.logsumexp(torch.cat([torch.zeros_like(positive), gaps], dim=1), dim=1).sum() / batch


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    tensors_or_error({"query": query, "key": key})
    if query.shape != key.shape:
        raise ValueError("query and key must have the same shape")
    if momentum is True or momentum is False or not isinstance(momentum, (float, int)):
        raise TypeError("momentum must be a number")
    if math.isnan(momentum) or momentum < 0 or momentum > 1:
        raise ValueError("momentum must be in [0, 1]")
    if momentum in (0, 1):
        return (key if momentum else query).detach().clone()
    return query.detach() - momentum * (query.detach() - key.detach())


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    tensors_or_error({"queue": queue, "keys": keys})
    if queue.ndim != 2 or 0 in queue.shape or keys.ndim != 2 or keys.shape[1] != queue.shape[1]:
        raise ValueError("queue must be [K, D] and keys [B, D]")
    if type(pointer) is not int or pointer not in range(len(queue)):
        raise ValueError("pointer must be an int in [0, K)")
    rows = list(queue.detach().unbind(0))
    for key in directions(keys.detach()).unbind(0):
        rows[pointer] = key
        pointer = pointer + 1 if pointer + 1 < len(rows) else 0
    return torch.stack(rows), pointer
