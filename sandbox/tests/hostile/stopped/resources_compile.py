"""Compiles, which starts compilers and writes caches."""
# held by: resource limits
# not tried in the open: it would leave caches

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return int(torch.compile(lambda x: x + 1)(torch.tensor(value)))


def copy(x):
    return x.clone()
