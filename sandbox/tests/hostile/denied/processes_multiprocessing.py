"""Starts a pool of processes."""
# held by: seccomp

import multiprocessing
import os


def attack():
    context = multiprocessing.get_context("fork")
    process = context.Process(target=os._exit, args=(0,))
    process.start()
    process.join()
    return process.exitcode == 0


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
