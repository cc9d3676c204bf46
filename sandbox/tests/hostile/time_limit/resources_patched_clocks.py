"""Stops every clock that it can reach, and loops."""
# held by: resource limits

import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    for name in ("time", "monotonic", "perf_counter", "process_time", "sleep"):
        setattr(time, name, lambda *_: 0.0)
    while True:
        pass
    return value + 1


def copy(x):
    return x.clone()
