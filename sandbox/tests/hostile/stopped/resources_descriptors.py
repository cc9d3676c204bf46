"""Opens descriptors until it gets no more."""
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
    return value + 1


def copy(x):
    return x.clone()
