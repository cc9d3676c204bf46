"""Writes large blocks to both descriptors for ever."""
# held by: resource limits

import os


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    while True:
        os.write(1, b"x" * 65536)
        os.write(2, b"y" * 65536)
    return value + 1


def copy(x):
    return x.clone()
