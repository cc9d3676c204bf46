"""Sends a descriptor through the channel to the checker."""
# held by: seccomp

import ctypes
import os
import socket
import stat
import struct


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False


def attack():
    channel = [number for number in range(3, 64) if is_socket(number)][0]
    rights = struct.pack("NiiI4x", 20, socket.SOL_SOCKET, socket.SCM_RIGHTS, 1)
    data = ctypes.create_string_buffer(b"", 1)
    vector = struct.pack("PN", ctypes.addressof(data), 0)
    buffer = ctypes.create_string_buffer(vector)
    control = ctypes.create_string_buffer(rights)
    header = struct.pack("PIPNPNi", 0, 0, ctypes.addressof(buffer), 1, ctypes.addressof(control), len(rights), 0)
    return ["sent", call("sendmsg", channel, header, 0)]


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
