"""Cross entropy over all 2N columns with the smallest finite number on the diagonal; a count of better candidates."""

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


def refuse(reason: str) -> None:
    raise ValueError(reason)


def checked(z_i: Any, z_j: Any) -> tuple[Tensor, Tensor]:
    for z in (z_i, z_j):
        if not isinstance(z, Tensor):
            raise TypeError("both views must be tensors")
        if z.dtype != torch.float32 and z.dtype != torch.float64:
            raise TypeError("both views must be float32 or float64")
        if len(z.shape) != 2 or 0 in z.shape:
            refuse("both views must be [N, D] with N and D at least 1")
        if torch.isnan(z).any() or torch.isinf(z).any():
            refuse("both views must be finite")
    if z_i.shape != z_j.shape or z_i.dtype != z_j.dtype or z_i.device != z_j.device:
        refuse("both views must have one shape, dtype and device")
    return z_i, z_j


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    z = F.normalize(torch.cat(checked(z_i, z_j), dim=0), p=2, dim=-1, eps=1e-12)
    return torch.einsum("ad,bd->ab", z, z)


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    n = checked(z_i, z_j)[0].shape[0]
    if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
        raise TypeError("temperature must be a number")
    if not 0 < temperature < math.inf:
        refuse("temperature must be finite and positive")
    logits = similarity_matrix(z_i, z_j).div(temperature)
    own = torch.eye(2 * n, dtype=torch.bool, device=logits.device)
    logits = torch.where(own, torch.finfo(logits.dtype).min, logits)
    labels = torch.cat([torch.arange(n, 2 * n), torch.arange(n)]).to(logits.device)
    return F.cross_entropy(logits, labels, reduction="sum") / (2 * n)


@torch.no_grad()
def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    s = similarity_matrix(z_i, z_j)
    n = len(z_i)
    positive = torch.cat([s.diagonal(n), s.diagonal(-n)])
    # The positive itself is among those that are at least as good; so is the anchor, unless it is taken away.
    s = s.clone().fill_diagonal_(-2.0)
    rank = (s >= positive[:, None]).sum(dim=1)
    return (rank == 1).sum().item() / (2 * n)
