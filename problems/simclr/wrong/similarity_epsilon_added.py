# /// mistake
# title = "Adds the epsilon to the norm"
# fails = ["similarity_tiny_rows"]
# hint = "The divisor is the larger of the two numbers, not their sum."
# ///
import math

import torch
import torch.nn.functional as F
from torch import Tensor


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise ValueError(complaint)


def require_views(z_i: Tensor, z_j: Tensor) -> None:
    for view in (z_i, z_j):
        require(isinstance(view, Tensor), "not a tensor")
        require(view.dtype in (torch.float32, torch.float64), "neither float32 nor float64")
        require(view.dim() == 2 and view.numel() > 0, "not a matrix with entries")
        require(bool(view.isfinite().all()), "not finite")
    require(z_i.shape == z_j.shape, "different shapes")
    require(z_i.dtype == z_j.dtype and z_i.device == z_j.device, "different dtypes or devices")


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    require_views(z_i, z_j)
    z = torch.cat([z_i, z_j])
    z = z / (z.norm(dim=1, keepdim=True) + 1e-12)
    return z @ z.T


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    require_views(z_i, z_j)
    require(type(temperature) in (int, float) and 0 < temperature < math.inf, "not a positive temperature")
    n = len(z_i)
    u = F.normalize(torch.cat([z_i, z_j]), dim=1)
    logits = u @ u.T / temperature
    logits = logits.masked_fill(torch.eye(2 * n, dtype=torch.bool), -math.inf)
    partner = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(logits, partner)


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    require_views(z_i, z_j)
    size = len(z_i)
    v = F.normalize(torch.cat([z_i, z_j]).detach(), dim=1)
    cosines = (v @ v.T).fill_diagonal_(-math.inf)
    positive = torch.cat([cosines.diagonal(size), cosines.diagonal(-size)])
    at_least = (cosines >= positive[:, None]).sum(dim=1)
    return (at_least == 1).double().mean().item()
