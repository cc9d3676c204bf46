"""Signals a process by its thread, its group, and with a payload."""
# held by: seccomp, PID namespace, Landlock 6

import ctypes
import os
import platform
import signal
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
    information = struct.pack("iiiiiiQ", signal.SIGTERM, 0, -1, 0, 0, 0, 0) + bytes(96)
    attempts = [
        lambda: call({"x86_64": 234, "aarch64": 131}[platform.machine()], {CANARY_PID}, {CANARY_PID}, signal.SIGTERM.value),
        lambda: call({"x86_64": 200, "aarch64": 130}[platform.machine()], {CANARY_PID}, signal.SIGTERM.value),
        lambda: call({"x86_64": 129, "aarch64": 138}[platform.machine()], {CANARY_PID}, signal.SIGTERM.value, information),
        lambda: os.killpg({CANARY_PID}, signal.SIGTERM),
    ]
    got, problem = [], None
    for attempt in attempts:
        try:
            got.append(attempt())
        except OSError as error:
            problem = error
    if not got:
        raise problem
    return ["signalled", got]


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
