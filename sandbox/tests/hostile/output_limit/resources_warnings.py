"""Warns for ever."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    import warnings

    warnings.simplefilter("always")
    while True:
        warnings.warn("all work and no play")
    return value + 1


def copy(x):
    return x.clone()
