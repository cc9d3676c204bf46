"""Spends for ever in one C call, which no Python signal handler interrupts."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    sum(range(10**12))
    return value + 1


def copy(x):
    return x.clone()
