"""Loops when the judge asks for the text of an exception."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    class Slow(Exception):
        def __str__(self):
            while True:
                pass

    raise Slow


def copy(x):
    return x.clone()
