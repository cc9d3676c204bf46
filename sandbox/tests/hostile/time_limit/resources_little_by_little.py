"""Stays below the limit of each check, and above that of all together."""
# held by: resource limits

import time


def square(x):
    time.sleep(0.45)
    return (x * x).sum()


def next(value):
    time.sleep(0.45)
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    time.sleep(0.45)
    return x.clone()
