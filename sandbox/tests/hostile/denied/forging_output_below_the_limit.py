"""Prints as much as it may, in odd pieces, and closes its streams."""
# held by: separate processes

import sys


def attack():
    sys.stdout.write("x" * 3000 + "\r\x1b[31m\x00")
    sys.stderr.write("y" * 1000 + "\n")


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
