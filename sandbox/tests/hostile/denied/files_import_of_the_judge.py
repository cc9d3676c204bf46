"""Imports the parts of the judge that it was not given."""
# held by: Landlock, mount namespace

import sys


def attack():
    sys.path[:0] = ["{PROJECT}", "/", "."]
    got = []
    for name in ("judge.settings", "manage", "sandbox.server", "sandbox.client", "sandbox.supervise", "conftest"):
        try:
            got.append(__import__(name).__file__)
        except Exception as error:  # settings also refuse a folder that belongs to somebody else
            print("denied:", error)
    return got


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
