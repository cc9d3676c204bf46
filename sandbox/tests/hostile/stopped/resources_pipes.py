"""Fills pipes, which is memory that no process is charged for."""
# held by: resource limits

import os


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    while True:
        kept.append(os.pipe())
        os.set_blocking(kept[-1][1], False)
        os.write(kept[-1][1], bytes(1 << 20))
    return value + 1


def copy(x):
    return x.clone()
