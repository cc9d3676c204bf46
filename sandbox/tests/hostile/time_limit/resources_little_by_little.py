"""Stays below the limit of each check, and above that of all together."""
# held by: resource limits

import time


def spend():
    end = time.thread_time() + 0.45
    while time.thread_time() < end:
        pass


def square(x):
    spend()
    return (x * x).sum()


def next(value):
    spend()
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    spend()
    return x.clone()
