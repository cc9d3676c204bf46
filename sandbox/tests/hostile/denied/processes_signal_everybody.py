"""Sends a signal to every process that it may signal (0: it would only tell whether it could)."""
# held by: seccomp, PID namespace

import os


def attack():
    os.kill(-1, 0)
    return "somebody could be signalled"


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
