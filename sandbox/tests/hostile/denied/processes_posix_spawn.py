"""Starts the interpreter as a new process with posix_spawn."""
# held by: seccomp

import os
import sys


def attack():
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {})
    os.waitpid(pid, 0)
    return pid


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
