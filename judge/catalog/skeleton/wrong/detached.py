# /// mistake
# title = "Detaches the variance"
# fails = ["gradient"]
# hint = "The variance depends on every entry of its row; its derivative is a part of the gradient."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    deviation = torch.sqrt(x.var(dim=1, keepdim=True, correction=0) + epsilon).detach()
    return (x - x.mean(dim=1, keepdim=True)) / deviation
