"""Maps memory in many small parts."""
# held by: resource limits

import mmap


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 16 << 20))
    return value + 1


def copy(x):
    return x.clone()
