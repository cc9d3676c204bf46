"""Returns arrays and numbers of NumPy."""
# held by: separate processes

import numpy


def square(x):
    return numpy.float32((x * x).sum().item())


def next(value):
    return numpy.int64(4)


def copy(x):
    return x.detach().numpy()
