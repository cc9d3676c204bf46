"""The logsumexp by hand, shifted by the row's maximum; weighted sums; a ring read from the side of its places."""

import math

import torch
from torch import Tensor

FLOATS = (torch.float32, torch.float64)


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    tensors = (query, key, queue)
    if not all(isinstance(t, Tensor) and t.dtype in FLOATS and t.dtype == query.dtype for t in tensors):
        raise TypeError("three float tensors of one dtype are needed")
    if not all(t.dim() == 2 and t.numel() > 0 and t.device == query.device for t in tensors):
        raise ValueError("three matrices on one device are needed")
    if not all(torch.isfinite(t).all() for t in tensors):
        raise ValueError("all entries must be finite")
    if query.shape != key.shape or query.shape[1:] != queue.shape[1:]:
        raise ValueError("the shapes do not fit")
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise TypeError("the temperature must be a number")
    if not (temperature > 0 and math.isfinite(temperature)):
        raise ValueError("the temperature must be positive")

    q, k, n = (_divided_by_norm(t) for t in (query, key.detach(), queue.detach()))
    positive = (q * k).sum(dim=-1) / temperature
    negatives = q.matmul(n.transpose(0, 1)) / temperature
    top = torch.maximum(positive, negatives.max(dim=1).values).detach()
    total = (positive - top).exp() + (negatives - top[:, None]).exp().sum(dim=1)
    return (total.log() + (top - positive)).mean()


def _divided_by_norm(rows: Tensor) -> Tensor:
    squares = (rows * rows).sum(dim=-1, keepdim=True)
    # The bound is taken before the root, whose derivative at zero is infinite.
    return rows / squares.clamp_min(1e-24).sqrt()


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    if not (isinstance(query, Tensor) and isinstance(key, Tensor)):
        raise TypeError("two tensors are needed")
    if query.dtype != key.dtype or query.dtype not in FLOATS:
        raise TypeError("one floating dtype is needed")
    if query.shape != key.shape or query.device != key.device:
        raise ValueError("one shape and one device are needed")
    if not (query.isfinite().all() and key.isfinite().all()):
        raise ValueError("all entries must be finite")
    if isinstance(momentum, bool) or not isinstance(momentum, (int, float)):
        raise TypeError("the coefficient must be a number")
    if not 0 <= momentum <= 1:
        raise ValueError("the coefficient must be in [0, 1]")
    old, new = key.detach(), query.detach()
    return torch.add(old * momentum, new, alpha=1 - momentum)


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    if not (isinstance(queue, Tensor) and isinstance(keys, Tensor)):
        raise TypeError("two tensors are needed")
    if queue.dtype != keys.dtype or queue.dtype not in FLOATS:
        raise TypeError("one floating dtype is needed")
    if queue.dim() != 2 or keys.dim() != 2 or queue.numel() == 0 or queue.shape[1] != keys.shape[1]:
        raise ValueError("the shapes do not fit")
    if queue.device != keys.device or not (queue.isfinite().all() and keys.isfinite().all()):
        raise ValueError("one device and finite entries are needed")
    if type(pointer) is not int:
        raise TypeError("the pointer must be an int")
    if pointer < 0 or pointer >= queue.shape[0]:
        raise ValueError("the pointer must name a row")

    places, count = queue.shape[0], keys.shape[0]
    if count == 0:
        return queue.detach().clone(), pointer
    rows = _divided_by_norm(keys.detach())
    # The first key that reaches a place, and the last: later ones come every `places` keys.
    first = (torch.arange(places, device=queue.device) - pointer) % places
    last = first + (count - 1 - first).div(places, rounding_mode="floor") * places
    chosen = rows[last.clamp_min(0)]
    return torch.where((last >= 0)[:, None], chosen, queue.detach()), (pointer + count) % places
