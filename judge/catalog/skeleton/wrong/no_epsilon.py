# /// mistake
# title = "Divides by zero where a row is constant"
# fails = ["epsilon"]
# hint = "The variance of equal numbers is 0; add `epsilon` before the root."
# ///
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    if x.dim() != 2:
        raise ValueError("not a matrix")
    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True, correction=0)
