"""Changes torch's settings: default types, deterministic modes, gradients off."""
# held by: separate processes

import torch


torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.inference_mode(True).__enter__()
torch.set_printoptions(precision=0)


def square(x):
    return (x * x).sum()


def next(value):
    return value + 1 if isinstance(value, int) else int(None)


def copy(x):
    return x.clone()
