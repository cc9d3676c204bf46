"""Raises an exception with ten megabytes of text."""
# held by: separate processes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    raise ValueError("\u00e9" * 10_000_000)


def copy(x):
    return x.clone()
