"""Announces a frame as large as is allowed, and never sends it."""
# held by: separate processes

import os
import stat
import struct
import time


def channel():
    """The descriptor of the judge's channel: the only socket."""
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return number
        except OSError:
            pass


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    os.write(channel(), struct.pack("<II", 4 << 20, 256 << 20))
    time.sleep(1000)
    return value + 1


def copy(x):
    return x.clone()
