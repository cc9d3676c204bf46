"""Runs a shell through C's system, which says by its status that it could not."""
# held by: Landlock, mount namespace, seccomp

import ctypes


def attack():
    status = ctypes.CDLL(None).system(b"exit 7")
    return status if status == 7 << 8 else 0


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
