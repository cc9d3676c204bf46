"""Loads a filter of its own that hands system calls to a listener."""
# held by: seccomp

import ctypes
import os
import platform
import struct


def call(number, *arguments):
    """A system call by number; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if type(a) is int else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    allow_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000))
    program = struct.pack("HP", 1, ctypes.addressof(allow_all))
    return ["listens", call({"x86_64": 317, "aarch64": 277}[platform.machine()], 1, 8, program)]


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
