"""Waits for input: on the standard input there is none, so on a pipe."""
# held by: resource limits

import os
import sys


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    reader, _writer = os.pipe()
    sys.stdin.read()
    os.read(reader, 1)
    return value + 1


def copy(x):
    return x.clone()
