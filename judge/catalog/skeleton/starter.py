"""Layer normalization: complete `standardize`."""

from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    """Give each row of `x` the mean 0 and the variance 1.

    x: [B, D]. Returns a new tensor [B, D] of the same dtype. Raises ValueError for other shapes.
    """
    raise NotImplementedError("standardize is not written yet")
