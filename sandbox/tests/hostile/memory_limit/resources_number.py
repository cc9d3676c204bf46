"""Shifts a number until it fills memory."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return 1 << (10**11)


def copy(x):
    return x.clone()
