"""Forks twice in a session of its own, to live on when its judge has ended."""
# held by: seccomp, PID namespace
# not tried in the open: it would survive

import ctypes
import os
import time


def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(15, b"{SURVIVOR}", 0, 0, 0)
            time.sleep(20)
        os._exit(0)


def square(x):
    try:
        got = attack()
    except OSError as error:
        print("denied:", error)
    else:
        assert not got, f"ESCAPED: {got}"
        print("denied: nothing was found")
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    return x.clone()
