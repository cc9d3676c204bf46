"""Prints for ever."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    while True:
        print("all work and no play")
    return value + 1


def copy(x):
    return x.clone()
