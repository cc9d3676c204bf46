"""Asks for memory without touching it."""
# held by: resource limits

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    torch.empty(10**10)
    return value + 1


def copy(x):
    return x.clone()
