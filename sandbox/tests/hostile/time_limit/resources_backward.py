"""Loops in a backward pass."""
# held by: resource limits

import time

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    x = torch.ones(1, requires_grad=True)
    x.register_hook(lambda gradient: time.sleep(1000))
    x.sum().backward()
    return value + 1


def copy(x):
    return x.clone()
