"""Takes the memory of its inputs away."""
# held by: separate processes

import torch


def square(x):
    x.data = torch.zeros(0)
    return torch.zeros([])


def next(value):
    return value + 2


def copy(x):
    x.resize_(0)
    return x
