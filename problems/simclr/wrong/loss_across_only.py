# /// mistake
# title = "Takes negatives from the other view only"
# fails = ["loss_mean", "loss_log_candidates", "loss_negatives"]
# hint = """
# This is the symmetric loss of CLIP: `N - 1` negatives for each anchor. Here the other samples of the anchor's
# own view are negatives too, `2N - 2` together."""
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
    logits = u[:n] @ u[n:].T / temperature
    own = torch.arange(n)
    return (F.cross_entropy(logits, own) + F.cross_entropy(logits.T, own)) / 2


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    require_views(z_i, z_j)
    size = len(z_i)
    v = F.normalize(torch.cat([z_i, z_j]).detach(), dim=1)
    cosines = (v @ v.T).fill_diagonal_(-math.inf)
    positive = torch.cat([cosines.diagonal(size), cosines.diagonal(-size)])
    at_least = (cosines >= positive[:, None]).sum(dim=1)
    return (at_least == 1).double().mean().item()
