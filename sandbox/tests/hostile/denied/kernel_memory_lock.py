"""Locks pages in memory."""
# held by: seccomp, resource limits

import ctypes
import os


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    return ["locked", call("mlockall", 3)]


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
