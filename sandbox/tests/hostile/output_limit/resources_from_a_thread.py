"""Prints from a thread, and sleeps."""
# held by: resource limits

import os
import threading
import time


def flood():
    while True:
        os.write(1, b"flood" * 1000)


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    threading.Thread(target=flood, daemon=True).start()
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
