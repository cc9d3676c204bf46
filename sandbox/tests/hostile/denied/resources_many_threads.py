"""Starts sixty-four threads that wait, which is unusual and allowed."""
# held by: resource limits
# not tried in the open: it is no attack

import threading
import time


def attack():
    threading.stack_size(256 * 1024)
    threads = [threading.Thread(target=time.sleep, args=(0.01,)) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


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
