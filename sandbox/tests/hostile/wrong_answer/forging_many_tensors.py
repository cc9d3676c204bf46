"""Returns a million small tensors."""
# held by: separate processes

import torch


def square(x):
    return [x] * 10**6


def next(value):
    return [torch.ones(1) for _ in range(10**4)]


def copy(x):
    return x
