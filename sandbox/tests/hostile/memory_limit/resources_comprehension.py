"""Fills a set, with objects of its own."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return {object() for _ in range(10**9)}


def copy(x):
    return x.clone()
