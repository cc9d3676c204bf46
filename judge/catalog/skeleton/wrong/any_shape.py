# /// mistake
# title = "Takes any number of dimensions"
# fails = ["refusal"]
# hint = "The last dimension works for any tensor, but the statement asks for a refusal."
# ///
import torch.nn.functional as F
from torch import Tensor


def standardize(x: Tensor, epsilon: float = 1e-5) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], eps=epsilon)
