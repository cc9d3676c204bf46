"""Removes a file of the host."""
# held by: Landlock, mount namespace

import os


def attack():
    os.unlink("{CANARY_FILE}")
    return "removed"


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
