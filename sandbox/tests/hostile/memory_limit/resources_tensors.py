"""Keeps tensor after tensor."""
# held by: resource limits

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    while True:
        kept.append(torch.ones(250_000))
    return value + 1


def copy(x):
    return x.clone()
