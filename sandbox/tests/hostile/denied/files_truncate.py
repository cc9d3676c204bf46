"""Cuts a file of the host by its path, without opening it."""
# held by: Landlock 3, mount namespace, seccomp

import os


def attack():
    os.truncate("{CANARY_FILE}", 0)
    return "cut"


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
