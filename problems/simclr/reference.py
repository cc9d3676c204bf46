"""SimCLR: the reference solution. The helpers and the contract are those of the starter."""

import math
from typing import Any

import torch
from torch import Tensor

EPSILON = 1e-12
"""A row is divided by its L2 norm, but never by less than this."""


# The contract -----------------------------------------------------------------------------------------------------


def validate_views(z_i: Any, z_j: Any) -> None:
    """Refuse all but two finite matrices [N, D] of one shape, one dtype (float32 or float64) and one device."""
    for value, name in ((z_i, "z_i"), (z_j, "z_j")):
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, not {type(value).__name__}")
        if value.dtype not in (torch.float32, torch.float64):
            raise TypeError(f"{name} must be float32 or float64, not {value.dtype}")
        if value.dim() != 2 or value.numel() == 0:
            raise ValueError(f"{name} must be a matrix with at least one entry, but its shape is {list(value.shape)}")
    if z_i.dtype != z_j.dtype:
        raise TypeError(f"z_i is {z_i.dtype}, but z_j is {z_j.dtype}")
    if z_i.device != z_j.device:
        raise ValueError(f"z_i is on {z_i.device}, but z_j is on {z_j.device}")
    if z_i.shape != z_j.shape:
        raise ValueError(f"z_i has shape {list(z_i.shape)}, but z_j has {list(z_j.shape)}")
    for value, name in ((z_i, "z_i"), (z_j, "z_j")):
        if not bool(torch.isfinite(value).all()):
            raise ValueError(f"{name} holds a NaN or an infinity")


def validate_temperature(temperature: Any) -> None:
    """Refuse all but a finite, positive int or float. A bool is not a number here."""
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise TypeError(f"temperature must be an int or a float, not {type(temperature).__name__}")
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"temperature must be finite and positive, not {temperature}")


def normalize(rows: Tensor) -> Tensor:
    """Each row over its L2 norm, or over EPSILON where the norm is smaller."""
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True).clamp_min(EPSILON)


def positives(square: Tensor) -> Tensor:
    """The entry of each anchor and its partner in a matrix [2N, 2N]: N places right of the diagonal, or left of it."""
    count = len(square) // 2
    return torch.cat([square.diagonal(count), square.diagonal(-count)])


# The method -------------------------------------------------------------------------------------------------------


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    """The cosine similarity of every representation of the batch with every other, and with itself.

    Shapes:
        z_i: [N, D], the first view of each sample, encoded and projected. Gradients reach it.
        z_j: [N, D], the second view; row k belongs to the same sample as row k of z_i. Gradients reach it.
        N and D are at least 1. Any strides. One dtype, float32 or float64.

    Returns a tensor [2N, 2N] with the dtype of `z_i`. Rows and columns are in the order: all of z_i, then all of z_j.
    Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    validate_views(z_i, z_j)

    rows = normalize(torch.cat([z_i, z_j]))
    return rows @ rows.T


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    """The normalized, temperature-scaled cross entropy of a batch of pairs: the mean over all 2N anchors.

    Shapes: as in `similarity_matrix`.

    temperature: a finite, positive int or float; similarities are divided by it.

    Returns a scalar tensor (shape []) with the dtype of `z_i`. Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    validate_temperature(temperature)
    # The matrix refuses views that break the contract.
    logits = similarity_matrix(z_i, z_j) / temperature
    logits.fill_diagonal_(-math.inf)
    return (torch.logsumexp(logits, dim=1) - positives(logits)).mean()


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    """The share of the 2N anchors whose positive is more similar to them than every negative.

    Shapes: as in `similarity_matrix`.

    Returns a Python float from 0 to 1. A tie is not a success. Changes none of its arguments.
    Raises TypeError or ValueError for arguments that break this contract.
    """
    similarities = similarity_matrix(z_i, z_j).fill_diagonal_(-math.inf)
    at_least_as_similar = (similarities >= positives(similarities)[:, None]).sum(dim=1)
    return float((at_least_as_similar == 1).double().mean())  # the positive itself, and nothing else
