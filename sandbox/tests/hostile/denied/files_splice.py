"""Splices between a file of the runtime and a pipe, the way page caches were once overwritten."""
# held by: seccomp

import os

import torch


def attack():
    file = os.open(torch.__file__, os.O_RDONLY)
    _, writer = os.pipe()
    return os.splice(file, writer, 16)


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
