"""Runs a program by its descriptor."""
# held by: seccomp
# not tried in the open: there its end says nothing of who stopped it

import ctypes
import os
import platform
import sys


def call(number, *arguments):
    """A system call by number; raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if type(a) is int else a for a in arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    program = os.open(os.path.realpath(sys.executable), os.O_RDONLY)
    text = (ctypes.c_char_p * 4)(b"python", b"-c", b"import os, time; os.write(1, b'ESCAPED'); time.sleep(20)", None)
    call({"x86_64": 322, "aarch64": 281}[platform.machine()], program, b"", text, None, 0x1000)


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
