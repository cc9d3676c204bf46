"""Four blocks of similarities instead of one matrix, as in the first public code; the loss of each view apart."""

import math
import numbers

import torch
from torch import Tensor

EPSILON = 1e-12


def units(*views: Tensor) -> list[Tensor]:
    if not all(isinstance(view, Tensor) for view in views):
        raise TypeError("every view must be a tensor")
    kinds = {(view.dtype, str(view.device), tuple(view.shape)) for view in views}
    if len(kinds) != 1 or views[0].dtype not in (torch.float32, torch.float64):
        raise TypeError("the views must have one dtype, device and shape")
    if views[0].dim() != 2 or views[0].numel() == 0:
        raise ValueError("the views must be matrices with entries")
    if not all(bool((view.abs() < math.inf).all()) for view in views):
        raise ValueError("the views must be finite")
    lengths = [view.pow(2).sum(dim=1, keepdim=True).clamp(min=EPSILON**2).sqrt() for view in views]
    return [view / length for view, length in zip(views, lengths, strict=True)]


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    a, b = units(z_i, z_j)
    return torch.cat([torch.cat([a @ a.T, a @ b.T], dim=1), torch.cat([b @ a.T, b @ b.T], dim=1)])


def one_side(own: Tensor, other: Tensor, temperature: float) -> Tensor:
    """The losses of the anchors in `own`: their partners are on the diagonal of own times other."""
    across, within = own @ other.T / temperature, own @ own.T / temperature
    eye = torch.eye(len(own), dtype=torch.bool, device=own.device)
    within = within.masked_fill(eye, -math.inf)
    return -torch.log_softmax(torch.cat([across, within], dim=1), dim=1).diagonal()


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    a, b = units(z_i, z_j)
    if isinstance(temperature, bool) or not isinstance(temperature, numbers.Real):
        raise TypeError("temperature must be a real number")
    if not 0 < temperature < math.inf:
        raise ValueError("temperature must be positive and finite")
    return (one_side(a, b, temperature).mean() + one_side(b, a, temperature).mean()) / 2


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    a, b = units(z_i.detach(), z_j.detach()) if isinstance(z_i, Tensor) and isinstance(z_j, Tensor) else units(z_i, z_j)
    count = len(a)
    if count == 1:
        return 1.0
    hits = torch.zeros(())
    off = ~torch.eye(count, dtype=torch.bool)
    for own, other in ((a, b), (b, a)):
        across, within = own @ other.T, own @ own.T
        rivals = torch.cat([across[off].reshape(count, -1), within[off].reshape(count, -1)], dim=1)
        hits = hits + (across.diagonal() - rivals.amax(dim=1) > 0).sum()
    return hits.item() / (2 * count)
