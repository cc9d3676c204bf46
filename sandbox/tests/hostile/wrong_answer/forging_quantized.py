"""Returns a quantized tensor, one with a lazy minus sign, and one with a lazy conjugate."""
# held by: separate processes

import torch


def square(x):
    return torch.quantize_per_tensor(x.detach().float(), 0.1, 0, torch.qint8)


def next(value):
    return torch.ones(1).neg()


def copy(x):
    return x
