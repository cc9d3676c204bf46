"""The paper's own order inside, partners side by side; a mask that multiplies shifted exponentials; float64 for the count."""

import math

import torch
from torch import Tensor


def accept(z_i: Tensor, z_j: Tensor) -> None:
    if type(z_i) is not Tensor and not isinstance(z_i, Tensor):
        raise TypeError("z_i is not a tensor")
    if type(z_j) is not Tensor and not isinstance(z_j, Tensor):
        raise TypeError("z_j is not a tensor")
    good = (
        z_i.dtype in (torch.float32, torch.float64)
        and (z_i.dtype, z_i.device, z_i.shape) == (z_j.dtype, z_j.device, z_j.shape)
        and z_i.ndim == 2
        and z_i.numel() > 0
        and bool(torch.isfinite(z_i).all())
        and bool(torch.isfinite(z_j).all())
    )
    if not good:
        raise ValueError("z_i and z_j must be finite float matrices of one kind")


def unit(rows: Tensor) -> Tensor:
    return rows / torch.linalg.vector_norm(rows, dim=-1, keepdim=True).clamp_min(1e-12)


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    accept(z_i, z_j)
    rows = torch.cat([unit(z_i), unit(z_j)])
    return torch.tensordot(rows, rows, dims=([1], [1]))


def interleaved(z_i: Tensor, z_j: Tensor) -> Tensor:
    """Similarities in the order of the paper: rows 2k and 2k + 1 are the two views of sample k."""
    rows = torch.stack([unit(z_i), unit(z_j)], dim=1).flatten(0, 1)
    return rows @ rows.mT


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    accept(z_i, z_j)
    if type(temperature) is not float and type(temperature) is not int:
        raise TypeError("temperature must be a Python number")
    if not (temperature > 0 and math.isfinite(temperature)):
        raise ValueError("temperature must be positive and finite")
    logits = interleaved(z_i, z_j) / temperature
    count = len(logits)
    place = torch.arange(count)
    positive = logits[place, place ^ 1]
    keep = 1 - torch.eye(count, dtype=logits.dtype)
    highest = logits.detach().masked_fill(keep == 0, -math.inf).amax(dim=1, keepdim=True)
    # The exponent of the diagonal is held down before it is multiplied away, so that it cannot overflow.
    shifted = ((logits - highest) * keep).exp() * keep
    return (shifted.sum(dim=1).log() + highest[:, 0] - positive).mean()


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    accept(z_i, z_j)
    cosines = interleaved(z_i.detach().double(), z_j.detach().double())
    count = len(cosines)
    place = torch.arange(count)
    positive = cosines[place, place ^ 1].unsqueeze(1)
    better = cosines >= positive
    better[place, place] = False
    better[place, place ^ 1] = False
    return float(1 - better.any(dim=1).double().mean())
