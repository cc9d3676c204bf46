"""Cross entropy with the positive in column 0; `lerp`; a ring written in slices."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def check_tensors(*tensors: Tensor) -> None:
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"expected a tensor, got {type(tensor).__name__}")
        if tensor.dtype not in (torch.float32, torch.float64) or tensor.dtype != tensors[0].dtype:
            raise TypeError("expected float32 or float64, the same for all")
        if tensor.device != tensors[0].device:
            raise ValueError("expected one device")
        if not torch.isfinite(tensor).all():
            raise ValueError("expected finite numbers")


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    check_tensors(query, key, queue)
    if query.ndim != 2 or queue.ndim != 2 or query.shape != key.shape or query.shape[1] != queue.shape[1]:
        raise ValueError("expected [B, D], [B, D] and [K, D]")
    if 0 in (*query.shape, *queue.shape):
        raise ValueError("expected at least one row and one column")
    if type(temperature) not in (int, float) or not math.isfinite(temperature) or temperature <= 0:
        raise ValueError("expected a positive temperature")
    q = F.normalize(query, dim=1)
    k = F.normalize(key.detach(), dim=1)
    negatives = F.normalize(queue.detach(), dim=1)
    logits = torch.cat([(q * k).sum(1, keepdim=True), q @ negatives.T], dim=1) / temperature
    labels = torch.zeros(len(logits), dtype=torch.long, device=logits.device)
    return F.cross_entropy(logits, labels)


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    check_tensors(query, key)
    if query.shape != key.shape:
        raise ValueError("expected one shape")
    if type(momentum) not in (int, float) or not 0 <= momentum <= 1:
        raise ValueError("expected a coefficient in [0, 1]")
    return torch.lerp(query.detach(), key.detach(), momentum)


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    check_tensors(queue, keys)
    if queue.ndim != 2 or keys.ndim != 2 or queue.shape[1] != keys.shape[1] or queue.numel() == 0:
        raise ValueError("expected [K, D] and [B, D]")
    if type(pointer) is not int or not 0 <= pointer < len(queue):
        raise ValueError("expected a place of the queue")
    rows = F.normalize(keys.detach(), dim=1)
    dictionary = queue.detach().clone()
    while len(rows) > 0:
        piece = rows[: len(dictionary) - pointer]
        dictionary[pointer : pointer + len(piece)] = piece
        rows = rows[len(piece) :]
        pointer = (pointer + len(piece)) % len(dictionary)
    return dictionary, pointer
