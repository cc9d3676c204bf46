"""Forks, and every child forks again."""
# held by: seccomp

import os


def attack():
    born = 0
    for _ in range(5):
        if os.fork() == 0:
            born = -1000
        born += 1
    if born < 0:
        os._exit(0)
    return born


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
