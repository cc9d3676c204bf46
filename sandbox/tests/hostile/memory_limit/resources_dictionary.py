"""Fills a dictionary with large keys."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    kept = {}
    while True:
        kept[len(kept)] = str(len(kept)) * 5000
    return value + 1


def copy(x):
    return x.clone()
