"""One anchor after the other, with the row maximum taken out by hand; the softplus form of a single loss."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

FLOATS = (torch.float32, torch.float64)


def stack(z_i: Tensor, z_j: Tensor) -> Tensor:
    if not (isinstance(z_i, Tensor) and isinstance(z_j, Tensor)):
        raise TypeError("z_i and z_j must be tensors")
    if z_i.dtype not in FLOATS or z_j.dtype is not z_i.dtype:
        raise TypeError("z_i and z_j must be both float32 or both float64")
    if z_i.dim() != 2 or z_i.shape != z_j.shape or min(z_i.shape) < 1 or z_i.device != z_j.device:
        raise ValueError("z_i and z_j must be [N, D] on one device")
    both = torch.concat((z_i, z_j))
    if not torch.isfinite(both).all():
        raise ValueError("z_i and z_j must be finite")
    return F.normalize(both)


def similarity_matrix(z_i: Tensor, z_j: Tensor) -> Tensor:
    unit = stack(z_i, z_j)
    return torch.stack([unit.mv(row) for row in unit])


def without(vector: Tensor, *places: int) -> Tensor:
    keep = [place for place in range(len(vector)) if place not in places]
    return vector[keep]


def nt_xent_loss(z_i: Tensor, z_j: Tensor, temperature: float = 0.5) -> Tensor:
    unit = stack(z_i, z_j)
    if isinstance(temperature, (bool, Tensor)) or not isinstance(temperature, (int, float)):
        raise TypeError("temperature must be an int or a float")
    if math.isnan(temperature) or math.isinf(temperature) or temperature <= 0:
        raise ValueError("temperature must be positive and finite")
    total = unit.new_zeros(())
    count = len(unit)
    if count == 2:
        return (unit * 0).sum()  # no negatives, so nothing to lose
    for anchor in range(count):
        logits = unit @ unit[anchor] / temperature
        partner = (anchor + count // 2) % count
        negatives = without(logits, anchor, partner)
        highest = negatives.max().detach()
        rest = highest + (negatives - highest).exp().sum().log()
        total = total + F.softplus(rest - logits[partner])
    return total / count


def contrastive_accuracy(z_i: Tensor, z_j: Tensor) -> float:
    unit = stack(z_i, z_j).detach()
    count, right = len(unit), 0
    for anchor in range(count):
        cosines = unit @ unit[anchor]
        partner = (anchor + count // 2) % count
        rivals = without(cosines, anchor, partner)
        right += rivals.numel() == 0 or bool(rivals.max() < cosines[partner])
    return right / count
