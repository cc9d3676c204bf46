"""Looks for open files of other processes, the checks among them, by /proc/*/fd."""
# held by: Landlock, mount namespace
# not tried in the open: a root without capabilities may not look at one that has them

import glob
import os


def attack():
    found = glob.glob("/proc/[0-9]*/fd/*") + glob.glob("/dev/fd/*")
    return [(path, os.readlink(path)) for path in found[:5]]


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
