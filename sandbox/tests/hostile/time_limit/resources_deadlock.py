"""Waits for a lock that it holds itself."""
# held by: resource limits

import threading


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return value + 1


def copy(x):
    return x.clone()
