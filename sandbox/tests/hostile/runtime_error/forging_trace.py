"""Raises through ten thousand frames that name other files and lines."""
# held by: separate processes

import sys


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    code = compile("\n" * 99999 + "raise KeyError", "solution.py", "exec")
    def deeper(n):
        exec(code, {"__name__": "x" * 100000}) if not n else deeper(n - 1)
    sys.setrecursionlimit(10**6)
    deeper(5000)
    return value + 1


def copy(x):
    return x.clone()
