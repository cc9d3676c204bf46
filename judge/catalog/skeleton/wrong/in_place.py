# /// mistake
# title = "Subtracts the mean in place"
# fails = ["unchanged"]
# hint = "`x -= mean` writes into the caller's tensor."
# ///
import torch
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    deviation = torch.sqrt(x.var(dim=1, keepdim=True, correction=0) + epsilon)
    x.data -= x.data.mean(dim=1, keepdim=True)
    return x / deviation
