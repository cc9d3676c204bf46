"""Asks NumPy."""
# held by: resource limits

import numpy


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    numpy.zeros(10**10)
    return value + 1


def copy(x):
    return x.clone()
