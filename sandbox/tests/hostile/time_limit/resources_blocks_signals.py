"""Blocks every signal that can be blocked, and loops in C."""
# held by: resource limits

import signal


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
    sum(range(10**12))
    return value + 1


def copy(x):
    return x.clone()
