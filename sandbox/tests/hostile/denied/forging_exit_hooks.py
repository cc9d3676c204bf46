"""Registers exit hooks, finalizers and threads that loop for ever after the last check."""
# held by: separate processes

import atexit
import sys
import threading
import time


LAST = []


def forever():
    while True:
        pass


class Last:
    def __del__(self):
        forever()


def attack():
    atexit.register(forever)
    threading.Thread(target=time.sleep, args=(1000,)).start()
    sys.exitfunc = forever
    LAST.append(Last())


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
