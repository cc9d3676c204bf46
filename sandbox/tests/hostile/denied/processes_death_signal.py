"""Asks the kernel not to end it with its parent, and to adopt orphans."""
# held by: seccomp

import ctypes
import os


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    got, problem = [], None
    for option, value in ((1, 0), (36, 1), (4, 1), (38, 0), (22, 0), (35, 1)):
        try:
            got.append(call("prctl", option, value, 0, 0, 0))
        except OSError as error:
            problem = error
    if not got:
        raise problem
    return ["answered", got]


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
