"""Kills and stops its parent, the keeper of the jail, which would take the jail down."""
# held by: seccomp, PID namespace, Landlock 6
# not tried in the open: there it takes its own jail down

import os
import signal
import time


def attack():
    parent = os.getppid()
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(parent, number)
        except OSError as error:
            print("denied:", error)
    time.sleep(0.05)
    return os.getppid() != parent


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
