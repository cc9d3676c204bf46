"""Makes a shared memory segment that stays when it has ended."""
# held by: seccomp, IPC namespace
# not tried in the open: it would stay

import ctypes
import os


def call(name, *arguments):
    """A function of the C library; raises OSError."""
    result = getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def attack():
    call("shmget", {LEFT_KEY}, 4096, 0o1600)


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
