"""Ends the process from a thread, in the middle of a call."""
# held by: separate processes

import os
import threading
import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
