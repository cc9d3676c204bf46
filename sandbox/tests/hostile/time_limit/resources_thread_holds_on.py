"""Waits for a thread that never ends."""
# held by: resource limits

import threading
import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    thread = threading.Thread(target=time.sleep, args=(1000,))
    thread.start()
    thread.join()
    return value + 1


def copy(x):
    return x.clone()
