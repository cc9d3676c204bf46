"""Prints from C."""
# held by: resource limits

import ctypes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    libc = ctypes.CDLL(None)
    while True:
        libc.puts(b"all work and no play")
        libc.fflush(None)
    return value + 1


def copy(x):
    return x.clone()
