"""Learns that a file exists, and its size, which needs no right to open it."""
# held by: mount namespace

import os


def attack():
    return os.stat("{CANARY_FILE}").st_size


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
