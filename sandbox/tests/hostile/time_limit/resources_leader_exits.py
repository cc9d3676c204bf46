"""Ends its first thread by itself, so that the process seems dead while a second one runs."""
# held by: resource limits

import ctypes
import platform
import threading
import time


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    time.sleep(0.05)
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[platform.machine()], 0)
    return value + 1


def copy(x):
    return x.clone()
