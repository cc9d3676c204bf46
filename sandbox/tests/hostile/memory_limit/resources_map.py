"""Maps memory."""
# held by: resource limits

import mmap


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    mmap.mmap(-1, 10 << 30)
    return value + 1


def copy(x):
    return x.clone()
