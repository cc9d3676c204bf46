"""Ignores every signal that can be ignored, and loops."""
# held by: resource limits

import signal


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
    return value + 1


def copy(x):
    return x.clone()
