"""A softplus of the gap between negatives and positive; `lerp_` on a copy; a ring that is rolled, written and rolled back."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


class ContractError(ValueError):
    """An argument that breaks the contract."""


def ensure(condition: object, message: str) -> None:
    if not condition:
        raise ContractError(message)


def ensure_pair(left: Tensor, right: Tensor) -> None:
    ensure(isinstance(left, Tensor) and isinstance(right, Tensor), "tensors are needed")
    ensure(left.dtype in (torch.float32, torch.float64), "float32 or float64 is needed")
    ensure(left.dtype == right.dtype and left.device == right.device, "dtype and device must agree")
    ensure(left.isfinite().all() and right.isfinite().all(), "finite entries are needed")


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    ensure_pair(query, key)
    ensure_pair(query, queue)
    ensure(query.ndim == 2 and queue.ndim == 2, "matrices are needed")
    ensure(query.shape == key.shape, "query and key must have one shape")
    ensure(query.shape[1] == queue.shape[1], "the queue must have as many columns")
    ensure(query.numel() and queue.numel(), "entries are needed")
    ensure(type(temperature) is int or type(temperature) is float, "the temperature must be a number")
    ensure(math.isfinite(temperature) and temperature > 0, "the temperature must be positive")
    q = F.normalize(query)
    scale = 1.0 / temperature
    positive = scale * torch.linalg.vecdot(q, F.normalize(key.detach()))
    negative = torch.logsumexp(scale * F.linear(q, F.normalize(queue.detach())), dim=1)
    return F.softplus(negative - positive).mean()


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    ensure_pair(query, key)
    ensure(query.shape == key.shape, "query and key must have one shape")
    ensure(type(momentum) is int or type(momentum) is float, "the coefficient must be a number")
    ensure(0 <= momentum <= 1, "the coefficient must be in [0, 1]")
    return key.detach().clone().lerp_(query.detach(), 1 - momentum)


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    ensure_pair(queue, keys)
    ensure(queue.ndim == 2 and keys.ndim == 2, "matrices are needed")
    ensure(queue.shape[1] == keys.shape[1] and queue.numel(), "as many columns are needed, and a queue with rows")
    ensure(type(pointer) is int and 0 <= pointer < queue.shape[0], "the pointer must be a row of the queue")
    size, following = len(queue), (pointer + len(keys)) % len(queue)
    kept = F.normalize(keys.detach())[-size:]
    # Turned so that the row after the last written one is row 0, the written rows are at the end, oldest first.
    turned = queue.detach().roll(-following, dims=0)
    turned = torch.cat([turned[: size - len(kept)], kept])
    return turned.roll(following, dims=0), following
