"""Signals every process near its own number: the checker, the template, other runs."""
# held by: seccomp, PID namespace, Landlock 6

import os


def attack():
    got = []
    for pid in range(max(2, os.getpid() - 300), os.getpid() + 100):
        if pid not in (os.getpid(), os.getppid()):
            try:
                os.kill(pid, 0)
                got.append(pid)
            except OSError:
                pass
    return got


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
