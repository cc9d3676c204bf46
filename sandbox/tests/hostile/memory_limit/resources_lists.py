"""Keeps list after list."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = []
    while True:
        kept.append([None] * 100_000)
    return value + 1


def copy(x):
    return x.clone()
