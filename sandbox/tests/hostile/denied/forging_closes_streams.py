"""Closes its output streams."""
# held by: separate processes

import os
import sys


def attack():
    os.write(1, b"denied: nothing was found")
    os.close(2)
    sys.stderr = None


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
