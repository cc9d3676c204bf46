"""Builds a graph that keeps every step."""
# held by: resource limits

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    x = torch.ones(200_000, requires_grad=True)
    while True:
        x = x * 1.0000001
    return value + 1


def copy(x):
    return x.clone()
