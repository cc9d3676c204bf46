"""Losses one by one with `logaddexp`; a convex combination in two lines; `index_copy` of the keys that survive."""

import math
import numbers

import torch
from torch import Tensor

EPSILON = 1e-12


def valid(*tensors: Tensor) -> bool:
    if any(not isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError("every argument but the last must be a tensor")
    kinds = {(tensor.dtype, str(tensor.device)) for tensor in tensors}
    return (
        len(kinds) == 1
        and tensors[0].dtype in (torch.float32, torch.float64)
        and all(bool(torch.isfinite(tensor).all()) for tensor in tensors)
    )


def one_loss(query: Tensor, key: Tensor, negatives: Tensor, temperature: float) -> Tensor:
    direction = query / max(torch.linalg.norm(query), query.new_tensor(EPSILON))
    positive = torch.dot(direction, key) / temperature
    rest = torch.logsumexp(torch.mv(negatives, direction) / temperature, dim=0)
    return torch.logaddexp(positive, rest) - positive


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    if not valid(query, key, queue) or query.shape != key.shape:
        raise ValueError("query, key and queue do not belong together")
    if query.dim() != 2 or queue.dim() != 2 or query.shape[1] != queue.shape[1] or 0 in query.shape + queue.shape:
        raise ValueError("the shapes must be [B, D], [B, D] and [K, D]")
    if isinstance(temperature, bool) or not isinstance(temperature, numbers.Real):
        raise TypeError("temperature must be a real number")
    if not 0 < temperature < math.inf:
        raise ValueError("temperature must be positive and finite")
    keys, negatives = key.detach(), queue.detach()
    keys = keys / torch.linalg.norm(keys, dim=1, keepdim=True).clamp(min=EPSILON)
    negatives = negatives / torch.linalg.norm(negatives, dim=1, keepdim=True).clamp(min=EPSILON)
    losses = [one_loss(q, k, negatives, temperature) for q, k in zip(query, keys, strict=True)]
    return torch.stack(losses).mean()


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    if not valid(query, key) or query.shape != key.shape:
        raise ValueError("query and key do not belong together")
    if isinstance(momentum, bool) or not isinstance(momentum, numbers.Real):
        raise TypeError("momentum must be a real number")
    if not 0 <= momentum <= 1:
        raise ValueError("momentum must be in [0, 1]")
    updated = key * momentum + query * (1 - momentum)
    return updated.detach()


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    if not valid(queue, keys) or queue.dim() != 2 or keys.dim() != 2 or 0 in queue.shape:
        raise ValueError("queue and keys do not belong together")
    if queue.shape[1] != keys.shape[1]:
        raise ValueError("queue and keys must have as many columns")
    if isinstance(pointer, bool) or not isinstance(pointer, int):
        raise TypeError("pointer must be an int")
    size, count = len(queue), len(keys)
    if not 0 <= pointer < size:
        raise ValueError("pointer must be a row of the queue")
    survivors = range(max(0, count - size), count)
    rows = keys.detach()[survivors.start :]
    rows = rows / torch.linalg.norm(rows, dim=1, keepdim=True).clamp(min=EPSILON)
    places = torch.tensor([(pointer + i) % size for i in survivors], dtype=torch.long, device=queue.device)
    return queue.detach().index_copy(0, places, rows), (pointer + count) % size
