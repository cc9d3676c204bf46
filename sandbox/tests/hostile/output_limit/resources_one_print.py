"""Prints ten megabytes at once."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    print("x" * 10_000_000)
    return value + 1


def copy(x):
    return x.clone()
