# /// mistake
# title = "Divides the variance by D - 1"
# fails = ["value"]
# hint = "`torch.var` corrects for a sample unless it is told not to."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    return (x - x.mean(dim=1, keepdim=True)) / torch.sqrt(x.var(dim=1, keepdim=True) + epsilon)
