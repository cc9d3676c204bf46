"""Reads the memory of another process."""
# held by: seccomp

import ctypes
import os


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    call("process_vm_readv", {CANARY_PID}, 0, 0, 0, 0, 0)
    return value + 1


def copy(x):
    return x.clone()
