"""Reads a file with C's own open and read, past everything that Python does."""
# held by: Landlock, mount namespace

import ctypes
import os


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.open(b"{CANARY_FILE}", os.O_RDONLY)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    buffer = ctypes.create_string_buffer(100)
    libc.read(descriptor, buffer, 99)
    return buffer.value


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
