"""The first column of a log-softmax; in-place steps on a copy without gradients; a ring written row by row."""

import math
from typing import Any

import torch
from torch import Tensor


def refuse(reason: str) -> None:
    raise ValueError(reason)


def number(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise TypeError(f"{name} must be a number")
    return value


def floating(first: Any, *others: Any) -> None:
    for tensor in (first, *others):
        if not torch.is_tensor(tensor) or tensor.dtype not in {torch.float32, torch.float64}:
            raise TypeError("not a float32 or float64 tensor")
        if (tensor.dtype, tensor.device) != (first.dtype, first.device):
            raise TypeError("dtypes or devices are mixed")
        if tensor.isnan().any() or tensor.isinf().any():
            refuse("NaN or infinity")


def unit(rows: Tensor) -> Tensor:
    norms = rows.norm(dim=1, keepdim=True)
    return rows / torch.clamp(norms, min=1e-12)


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    floating(query, key, queue)
    if [query.dim(), key.dim(), queue.dim()] != [2, 2, 2] or min(*query.shape, *key.shape, *queue.shape) == 0:
        refuse("need three matrices with entries")
    if query.shape != key.shape or query.size(1) != queue.size(1):
        refuse("sizes do not fit")
    if not 0 < number(temperature, "temperature") < math.inf:
        refuse("temperature must be positive")
    q = unit(query)
    with torch.no_grad():
        k, n = unit(key), unit(queue)
    positive = torch.einsum("bd,bd->b", q, k)
    negative = torch.einsum("bd,kd->bk", q, n)
    candidates = torch.hstack([positive.unsqueeze(1), negative])
    return -torch.log_softmax(candidates / temperature, dim=1)[:, 0].mean()


@torch.no_grad()
def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    floating(query, key)
    if query.shape != key.shape:
        refuse("shapes differ")
    if not 0 <= number(momentum, "momentum") <= 1:
        refuse("momentum must be in [0, 1]")
    return key.detach().clone().mul_(momentum).add_(query, alpha=1 - momentum)


@torch.no_grad()
def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    floating(queue, keys)
    if queue.dim() != 2 or keys.dim() != 2 or min(queue.shape) == 0 or keys.size(1) != queue.size(1):
        refuse("need [K, D] and [B, D]")
    if isinstance(pointer, bool) or not isinstance(pointer, int):
        raise TypeError("pointer must be an int")
    if pointer not in range(queue.size(0)):
        refuse("pointer must be a row of the queue")
    result = queue.detach().clone()
    for row in unit(keys):
        result[pointer] = row
        pointer = (pointer + 1) % queue.size(0)
    return result, pointer
