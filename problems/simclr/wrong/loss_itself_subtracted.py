# /// mistake
# title = "Subtracts the anchor's exponential from the sum"
# fails = ["loss_zero_rows", "loss_itself_small_temperature"]
# hint = """
# The similarity of a row to itself is 1 only if the row is not zero, and at a small temperature its exponential
# is infinite. Leave the diagonal out by its place."""
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
    z = F.normalize(torch.cat([z_i, z_j]), dim=1)
    return z @ z.T


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    require_views(z_i, z_j)
    require(type(temperature) in (int, float) and 0 < temperature < math.inf, "not a positive temperature")
    n = len(z_i)
    u = F.normalize(torch.cat([z_i, z_j]), dim=1)
    exponentials = torch.exp(u @ u.T / temperature)
    positive = (u[:n] * u[n:]).sum(dim=1).repeat(2) / temperature
    return (torch.log(exponentials.sum(dim=1) - math.exp(min(1 / temperature, 700.0))) - positive).mean()


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    require_views(z_i, z_j)
    size = len(z_i)
    v = F.normalize(torch.cat([z_i, z_j]).detach(), dim=1)
    cosines = (v @ v.T).fill_diagonal_(-math.inf)
    positive = torch.cat([cosines.diagonal(size), cosines.diagonal(-size)])
    at_least = (cosines >= positive[:, None]).sum(dim=1)
    return (at_least == 1).double().mean().item()
