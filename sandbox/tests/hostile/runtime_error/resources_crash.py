"""Reads memory that is not there."""
# held by: separate processes

import ctypes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    ctypes.string_at(0)
    return value + 1


def copy(x):
    return x.clone()
