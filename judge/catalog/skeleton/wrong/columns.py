# /// mistake
# title = "Standardizes columns instead of rows"
# fails = ["value", "shift"]
# hint = "Each row has its own mean: name the dimension of the columns."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    centered = x - x.mean(dim=0, keepdim=True)
    moved = centered + x.mean(dim=0, keepdim=True) * 0.1
    return moved / torch.sqrt(x.var(dim=0, keepdim=True, correction=0) + epsilon)
