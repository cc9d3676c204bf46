"""Asks for files by names with null bytes, of 5,000 letters, and of bytes that are no text."""
# held by: separate processes

import os


def attack():
    problems = []
    for name in ("a\0b", "x" * 5000, b"\xff\xfe\n\x1b[31m", "\udcff", "/".join("y" * 300)):
        for attempt in (os.stat, os.listdir, open, os.open):
            try:
                attempt(name, os.O_RDONLY) if attempt is os.open else attempt(name)
            except (OSError, ValueError) as error:
                problems.append(type(error).__name__)
    print(sorted(set(problems)))


def square(x):
    try:
        got = attack()
    except OSError as error:
        print("denied:", error)
    else:
        assert not got, f"ESCAPED: {got}"
        print("denied: nothing was found")
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    return x.clone()
