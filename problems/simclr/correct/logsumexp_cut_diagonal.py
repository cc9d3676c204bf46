"""The diagonal is cut out by index, so that no mask is needed; the positive is taken from a product of the views."""

import math

import torch
from torch import Tensor


class ContractError(ValueError):
    """An argument that breaks the contract."""


def ensure(condition: object, message: str) -> None:
    if not condition:
        raise ContractError(message)


def stacked(z_i: Tensor, z_j: Tensor) -> Tensor:
    ensure(isinstance(z_i, Tensor) and isinstance(z_j, Tensor), "tensors are needed")
    ensure(z_i.dtype in (torch.float32, torch.float64) and z_i.dtype == z_j.dtype, "float32 or float64 is needed")
    ensure(z_i.device == z_j.device and z_i.shape == z_j.shape, "both views must be alike")
    ensure(z_i.ndim == 2 and z_i.numel() > 0, "matrices with entries are needed")
    ensure(z_i.isfinite().all() and z_j.isfinite().all(), "finite entries are needed")
    rows = torch.vstack([z_i, z_j])
    return rows / torch.linalg.norm(rows, dim=1, keepdim=True).clamp(min=1e-12)


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    rows = stacked(z_i, z_j)
    return rows.mm(rows.t())


def others(matrix: Tensor) -> Tensor:
    """The matrix without its diagonal, [2N, 2N - 1]."""
    size = matrix.shape[0]
    columns = torch.tensor([[b for b in range(size) if b != a] for a in range(size)], device=matrix.device)
    return matrix.gather(1, columns)


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    rows = stacked(z_i, z_j)
    ensure(type(temperature) in (int, float), "the temperature must be a number")
    ensure(math.isfinite(temperature) and temperature > 0, "the temperature must be positive")
    first, second = rows.chunk(2)
    positive = (first * second).sum(dim=1).repeat(2) / temperature
    return (others(rows @ rows.T / temperature).logsumexp(dim=1) - positive).mean()


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    matrix = similarity_matrix(z_i, z_j).detach()
    size = matrix.shape[0]
    hits = 0
    for a, line in enumerate(matrix.tolist()):
        partner = (a + size // 2) % size
        hits += all(line[partner] > value for b, value in enumerate(line) if b not in (a, partner))
    return hits / size
