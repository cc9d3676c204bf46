"""Returns a tensor without values."""
# held by: separate processes

import torch


def square(x):
    return torch.empty([], device='meta')


def next(value):
    return torch.tensor(4)


def copy(x):
    return x
