"""Loops in a callback of the garbage collector."""
# held by: resource limits

import gc


def forever(phase, info):
    while True:
        pass


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    gc.callbacks.append(forever)
    gc.collect()
    return value + 1


def copy(x):
    return x.clone()
