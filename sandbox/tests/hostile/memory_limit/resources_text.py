"""Doubles a text."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    text = "x"
    while True:
        text += text
    return value + 1


def copy(x):
    return x.clone()
