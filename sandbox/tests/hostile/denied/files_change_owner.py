"""Gives a file of the host to another group, by every call that can."""
# held by: mount namespace, seccomp

import os


def attack():
    group = os.getgroups()[0] if os.getgroups() else os.getgid()
    os.chown("{CANARY_FILE}", -1, group)
    return "changed"


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
