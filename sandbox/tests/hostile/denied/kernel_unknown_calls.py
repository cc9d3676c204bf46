"""Makes calls of numbers that no kernel has yet, which a filter must not let through."""
# held by: seccomp

import ctypes
import os


def call(number, *arguments):
    """A system call by number; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if type(a) is int else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    got = set()
    for number in (*range(470, 520), 1000, 100000):
        try:
            call(number, 0, 0, 0, 0, 0, 0)
            got.add("done")
        except OSError as error:
            got.add(error.errno)
    return got != {1}


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
