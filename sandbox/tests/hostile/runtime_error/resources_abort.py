"""Aborts in C, to leave a core."""
# held by: separate processes

import os


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    os.abort()
    return value + 1


def copy(x):
    return x.clone()
