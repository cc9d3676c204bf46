"""Replaces itself by another program, which would have no filter of ours in its code."""
# held by: seccomp
# not tried in the open: there its end says nothing of who stopped it

import os
import sys


def attack():
    code = "import os; os.write(1, b'ESCAPED: a program was started'); import time; time.sleep(20)"
    os.execv(sys.executable, [sys.executable, "-c", code])


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
