"""Fills memory from four threads at once."""
# held by: resource limits

import threading


def fill(kept):
    while True:
        kept.append(bytearray(1 << 20))


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    threads = [threading.Thread(target=fill, args=(kept,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fill(kept)
    return value + 1


def copy(x):
    return x.clone()
