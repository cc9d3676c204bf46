"""Starts threads until it gets no more."""
# held by: resource limits

import threading
import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    threading.stack_size(32768)
    kept = []
    while True:
        thread = threading.Thread(target=time.sleep, args=(1000,), daemon=True)
        thread.start()
        kept.append(thread)
    return value + 1


def copy(x):
    return x.clone()
