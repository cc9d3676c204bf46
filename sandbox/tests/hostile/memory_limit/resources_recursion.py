"""Recurses in Python with the limit taken away."""
# held by: resource limits

import sys


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    sys.setrecursionlimit(2**31 - 1)
    def deeper(n):
        return [n] * 1000, deeper(n + 1)
    return deeper(0)


def copy(x):
    return x.clone()
