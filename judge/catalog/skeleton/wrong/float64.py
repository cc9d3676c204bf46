# /// mistake
# title = "Returns float64"
# fails = ["dtype"]
# hint = "The result has the dtype of the argument."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    y = x.double()
    return (y - y.mean(dim=1, keepdim=True)) / torch.sqrt(y.var(dim=1, keepdim=True, correction=0) + epsilon)
