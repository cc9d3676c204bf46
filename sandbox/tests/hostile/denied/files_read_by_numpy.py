"""Reads a file through NumPy's C code, and through torch's."""
# held by: Landlock, mount namespace

import numpy
import torch


def attack():
    try:
        return bytes(torch.from_file("{CANARY_FILE}", size=4, dtype=torch.uint8).tolist())
    except RuntimeError as error:
        print(str(error).splitlines()[0])
    return numpy.fromfile("{CANARY_FILE}", dtype="u1").tobytes()


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
