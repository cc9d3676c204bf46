"""Reads the memory of another process, and its own, through /proc."""
# held by: Landlock, mount namespace

import os


def attack():
    got, problem = [], None
    for number in ("{CANARY_PID}", "self"):
        try:
            got.append(os.open(f"/proc/{number}/mem", os.O_RDWR))
        except OSError as error:
            problem = error
    if not got:
        raise problem
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
