"""Moves a file of the host away."""
# held by: Landlock, mount namespace

import os


def attack():
    os.rename("{CANARY_FILE}", "{CANARY_FOLDER}/{TOKEN}-moved")
    return "moved"


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
