"""Multiplies matrices for ever, with the interpreter's lock released."""
# held by: resource limits

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    x = torch.ones(400, 400)
    while True:
        x = (x @ x).clamp_(0, 1)
    return value + 1


def copy(x):
    return x.clone()
