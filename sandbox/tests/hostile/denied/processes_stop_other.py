"""Stops a process of the same user on the host."""
# held by: seccomp, PID namespace, Landlock 6

import os
import signal


def attack():
    os.kill({CANARY_PID}, signal.SIGSTOP)
    return "stopped"


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
