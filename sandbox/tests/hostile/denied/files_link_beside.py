"""Leaves a symbolic link for the host to follow."""
# held by: Landlock, mount namespace, seccomp

import os


def attack():
    os.symlink("/etc/passwd", "{CANARY_FOLDER}/{TOKEN}-symbolic")
    return "linked"


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
