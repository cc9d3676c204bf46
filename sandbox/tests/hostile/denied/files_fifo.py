"""Makes a named pipe that a reader of results would wait on for ever."""
# held by: Landlock, mount namespace, seccomp

import os


def attack():
    os.mkfifo("{CANARY_FOLDER}/{TOKEN}-fifo")
    return "made"


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
