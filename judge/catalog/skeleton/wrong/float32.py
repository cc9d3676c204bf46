# /// mistake
# title = "Computes in float32"
# fails = ["value"]
# hint = "A detour through float32 keeps seven digits only."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    y = x.float()
    y = (y - y.mean(dim=1, keepdim=True)) / torch.sqrt(y.var(dim=1, keepdim=True, correction=0) + epsilon)
    return y.to(x.dtype)
