"""Sleeps."""
# held by: resource limits

import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
