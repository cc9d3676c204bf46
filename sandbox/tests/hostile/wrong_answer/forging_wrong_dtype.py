"""Returns the right value in a wider dtype, in which the tolerance is another."""
# held by: separate processes

import torch


def square(x):
    return (x * x).sum().to(torch.complex128)


def next(value):
    return value + 2


def copy(x):
    return x
