"""Overflows the C stack by nested objects."""
# held by: separate processes

import sys


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    sys.setrecursionlimit(2**31 - 1)
    nested = ()
    for _ in range(1_000_000):
        nested = (nested,)
    return hash(nested)


def copy(x):
    return x.clone()
