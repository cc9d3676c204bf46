"""Raises an error that names a file by bytes that are no text, and prints them."""
# held by: separate processes

import os


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    os.write(1, b"\xff\xfe\x00\x1b[31m\xed\xa0\x80\n")
    os.stat(b"/\xff\xfe\n\x1b[31m<b>")
    return value + 1


def copy(x):
    return x.clone()
