"""Asks for one list that is too large."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return [0] * 10**10


def copy(x):
    return x.clone()
