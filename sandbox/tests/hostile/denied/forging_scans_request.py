"""Looks in what it was asked for anything but the call: a check's name, an expected value."""
# held by: separate processes

import json
import sys


def attack():
    frame = sys._getframe()
    while frame and "request" not in frame.f_locals:
        frame = frame.f_back
    asked = frame.f_locals["request"]
    known = set("id name args kwargs observed backward observe threads tensors on operation".split())
    return sorted(set(asked) - known) + [word for word in ("expected", "check", "unchanged") if word in json.dumps(asked)]


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
