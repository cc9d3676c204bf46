# /// mistake
# title = "Labels every row with 1 although the positive is in column 0"
# fails = ["loss_hand_value", "loss_own_key"]
# hint = "A label is a column number, not a mark for \"positive\". The positive stands in column 0."
# ///
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise ValueError(complaint)


def require_tensors(*tensors: Tensor) -> None:
    require(all(isinstance(tensor, Tensor) for tensor in tensors), "not a tensor")
    require(tensors[0].dtype in (torch.float32, torch.float64), "neither float32 nor float64")
    require(len({(tensor.dtype, tensor.device) for tensor in tensors}) == 1, "different dtypes or devices")
    require(all(bool(tensor.isfinite().all()) for tensor in tensors), "not finite")


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    require_tensors(query, key, queue)
    require(query.dim() == queue.dim() == 2 and query.numel() * queue.numel() > 0, "not matrices with entries")
    require(query.shape == key.shape and query.shape[1] == queue.shape[1], "shapes that do not fit")
    require(type(temperature) in (int, float) and 0 < temperature < math.inf, "not a positive temperature")
    q, k, n = F.normalize(query, dim=1), F.normalize(key.detach(), dim=1), F.normalize(queue.detach(), dim=1)
    logits = torch.cat([(q * k).sum(dim=1, keepdim=True), q @ n.T], dim=1) / temperature
    return F.cross_entropy(logits, torch.ones(len(q), dtype=torch.long))


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    require_tensors(query, key)
    require(query.shape == key.shape, "shapes that differ")
    require(type(momentum) in (int, float) and 0 <= momentum <= 1, "not a coefficient in [0, 1]")
    return momentum * key.detach() + (1 - momentum) * query.detach()


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    require_tensors(queue, keys)
    require(queue.dim() == keys.dim() == 2 and queue.numel() > 0, "not matrices, or an empty queue")
    require(queue.shape[1] == keys.shape[1], "different numbers of columns")
    require(type(pointer) is int and 0 <= pointer < len(queue), "not a place of the queue")
    dictionary, rows = queue.detach().clone(), F.normalize(keys.detach(), dim=1)
    for row in rows:
        dictionary[pointer] = row
        pointer = (pointer + 1) % len(dictionary)
    return dictionary, pointer
