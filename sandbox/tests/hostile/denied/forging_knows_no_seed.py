"""Looks for the seed that the inputs are drawn from."""
# held by: separate processes

import sys


def attack():
    frame, found = sys._getframe(), []
    while frame:
        found += [name for name in frame.f_locals if "seed" in name]
        frame = frame.f_back
    return found


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
