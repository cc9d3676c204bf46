"""Returns a tensor of 10^10 entries that takes four bytes, until it is sent."""
# held by: resource limits

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return torch.ones(1).expand(10**10)


def copy(x):
    return x.clone()
