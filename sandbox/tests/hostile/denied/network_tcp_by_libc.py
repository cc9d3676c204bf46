"""Connects with C's own calls."""
# held by: seccomp, network namespace, Landlock 4

import ctypes
import os
import socket
import struct


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    family = call("socket", socket.AF_INET, socket.SOCK_STREAM, 0)
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", {CANARY_PORT}, bytes([127, 0, 0, 1]))
    return ["connected", call("connect", family, address, 16)]


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
