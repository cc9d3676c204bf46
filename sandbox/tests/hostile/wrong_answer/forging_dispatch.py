"""Returns a lazy tensor, made by __torch_dispatch__, that has no values yet."""
# held by: separate processes

import torch


class Lazy(torch.Tensor):
    @staticmethod
    def __new__(cls, size):
        return torch.Tensor._make_wrapper_subclass(cls, size)

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        raise RuntimeError("not now")


def square(x):
    return Lazy([])


def next(value):
    return value + 2


def copy(x):
    return x
