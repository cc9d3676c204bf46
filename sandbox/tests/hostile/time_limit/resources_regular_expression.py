"""Matches a regular expression that tries every way."""
# held by: resource limits

import re


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    re.match(r"(a|a)*$", "a" * 64 + "b")
    return value + 1


def copy(x):
    return x.clone()
