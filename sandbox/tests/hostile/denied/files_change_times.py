"""Sets back the times of a file of the host, which needs no right to open it."""
# held by: mount namespace, seccomp

import os


def attack():
    os.utime("{CANARY_FILE}", (1, 1))
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
