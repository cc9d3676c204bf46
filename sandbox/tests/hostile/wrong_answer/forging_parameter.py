"""Returns a parameter."""
# held by: separate processes

import torch


def square(x):
    return torch.nn.Parameter((x * x).sum().detach())


def next(value):
    return value + 2


def copy(x):
    return x
