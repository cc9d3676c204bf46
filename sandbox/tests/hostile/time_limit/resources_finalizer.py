"""Loops in __del__."""
# held by: resource limits


class Slow:
    def __del__(self):
        while True:
            pass


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    Slow()
    return value + 1


def copy(x):
    return x.clone()
