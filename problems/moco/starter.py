"""Momentum Contrast: complete `moco_loss`, `momentum_update` and `enqueue`.

The three functions call the helpers above them, which already refuse every argument that breaks the contract.
You may read, change or replace the helpers; only the three functions are judged.
"""

import math
from typing import Any

import torch
from torch import Tensor

EPSILON = 1e-12
"""A row is divided by its L2 norm, but never by less than this."""


# Supplied: the contract -------------------------------------------------------------------------------------------


def validate_pair(first: Any, second: Any, names: tuple[str, str]) -> None:
    """Refuse all but two finite tensors of one floating dtype (float32 or float64) on one device."""
    for value, name in zip((first, second), names, strict=True):
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, not {type(value).__name__}")
        if value.dtype not in (torch.float32, torch.float64):
            raise TypeError(f"{name} must be float32 or float64, not {value.dtype}")
    if first.dtype != second.dtype:
        raise TypeError(f"{names[0]} is {first.dtype}, but {names[1]} is {second.dtype}")
    if first.device != second.device:
        raise ValueError(f"{names[0]} is on {first.device}, but {names[1]} is on {second.device}")
    for value, name in zip((first, second), names, strict=True):
        if not bool(torch.isfinite(value).all()):
            raise ValueError(f"{name} holds a NaN or an infinity")


def validate_rows(value: Tensor, name: str, *, empty: bool = False) -> None:
    """Refuse all but a matrix with at least one column, and with at least one row unless `empty` is allowed."""
    if value.dim() != 2:
        raise ValueError(f"{name} must have two dimensions, not {value.dim()}")
    if value.shape[1] < 1 or (value.shape[0] < 1 and not empty):
        raise ValueError(f"{name} must not be empty, but its shape is {list(value.shape)}")


def validate_temperature(temperature: Any) -> None:
    """Refuse all but a finite, positive int or float. A bool is not a number here."""
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise TypeError(f"temperature must be an int or a float, not {type(temperature).__name__}")
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"temperature must be finite and positive, not {temperature}")


def validate_coefficient(momentum: Any) -> None:
    """Refuse all but an int or float from 0 to 1, both included. A bool is not a number here."""
    if isinstance(momentum, bool) or not isinstance(momentum, (int, float)):
        raise TypeError(f"momentum must be an int or a float, not {type(momentum).__name__}")
    if not 0 <= momentum <= 1:
        raise ValueError(f"momentum must be in [0, 1], not {momentum}")


def validate_pointer(pointer: Any, size: int) -> None:
    """Refuse all but an exact int that names one of `size` places."""
    if type(pointer) is not int:
        raise TypeError(f"pointer must be an int, not {type(pointer).__name__}")
    if not 0 <= pointer < size:
        raise ValueError(f"pointer must be in [0, {size}), not {pointer}")


# Yours: the method ------------------------------------------------------------------------------------------------


def moco_loss(query: Tensor, key: Tensor, queue: Tensor, temperature: float = 0.2) -> Tensor:
    """The mean InfoNCE loss of a batch of queries against their own keys and a dictionary of negatives.

    Shapes:
        query: [B, D], one encoded view of each sample. Gradients reach it.
        key: [B, D], the other view; row i is the only positive of query i. Detached.
        queue: [K, D], the dictionary; every row is a negative of every query. Detached.
        B, K and D are at least 1. Any strides. One dtype, float32 or float64.

    temperature: a finite, positive int or float; similarities (dot products of normalized rows) are divided by it.

    Returns a scalar tensor (shape []) with the dtype of `query`. Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    validate_pair(query, key, ("query", "key"))
    validate_pair(query, queue, ("query", "queue"))
    for rows, name in ((query, "query"), (key, "key"), (queue, "queue")):
        validate_rows(rows, name)
    if query.shape != key.shape:
        raise ValueError(f"query has shape {list(query.shape)}, but key has {list(key.shape)}")
    if query.shape[1] != queue.shape[1]:
        raise ValueError(f"query has {query.shape[1]} columns, but queue has {queue.shape[1]}")
    validate_temperature(temperature)

    raise NotImplementedError("moco_loss is not written yet")


def momentum_update(query: Tensor, key: Tensor, momentum: float = 0.999) -> Tensor:
    """The next value of one parameter of the key encoder: `momentum * key + (1 - momentum) * query`.

    Shapes:
        query: any shape, a parameter of the query encoder. A scalar and an empty tensor are legal.
        key: the same shape, the same parameter of the key encoder.
        One dtype, float32 or float64.

    momentum: an int or float from 0 (copy the query) to 1 (freeze the key).

    Returns a detached tensor with storage of its own. Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    validate_pair(query, key, ("query", "key"))
    if query.shape != key.shape:
        raise ValueError(f"query has shape {list(query.shape)}, but key has {list(key.shape)}")
    validate_coefficient(momentum)

    raise NotImplementedError("momentum_update is not written yet")


def enqueue(queue: Tensor, keys: Tensor, pointer: int) -> tuple[Tensor, int]:
    """Write normalized keys into a ring of rows, one after another from `pointer`.

    Shapes:
        queue: [K, D], K and D at least 1, the dictionary.
        keys: [B, D], B at least 0; B may be larger than K. Normalized here, then stored.
        One dtype, float32 or float64.

    pointer: the row that is written first, an int in [0, K). After row K - 1 comes row 0.

    Returns `(dictionary, pointer)`: a detached dictionary [K, D] with storage of its own, and `(pointer + B) % K`.
    Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    validate_pair(queue, keys, ("queue", "keys"))
    validate_rows(queue, "queue")
    validate_rows(keys, "keys", empty=True)
    if queue.shape[1] != keys.shape[1]:
        raise ValueError(f"queue has {queue.shape[1]} columns, but keys has {keys.shape[1]}")
    validate_pointer(pointer, queue.shape[0])

    raise NotImplementedError("enqueue is not written yet")
