"""Takes all memory that it may, catches the error, and goes on."""
# held by: resource limits

import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 24))
        except MemoryError:
            time.sleep(0.01)
    return value + 1


def copy(x):
    return x.clone()
