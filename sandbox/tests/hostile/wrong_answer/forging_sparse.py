"""Returns a sparse tensor, and one of rows of different lengths."""
# held by: separate processes

import torch


def square(x):
    return x.to_sparse()


def next(value):
    return torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])


def copy(x):
    return x
