"""Cuts a file of the runtime, which it may read, by opening it for reading with O_TRUNC."""
# held by: Landlock 3, mount namespace, seccomp
# not tried in the open: it is a real file

import os

import torch


def attack():
    return os.open(os.path.join(os.path.dirname(torch.__file__), "version.py"), os.O_RDONLY | os.O_TRUNC)


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
