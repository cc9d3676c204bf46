"""Computes a number of 10^10 digits."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value ** (10**10)


def copy(x):
    return x.clone()
