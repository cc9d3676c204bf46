"""Returns a wrong result, and changes it from a thread afterwards."""
# held by: separate processes

import threading
import time


def change(result, x):
    time.sleep(0.001)
    while True:
        result.data.copy_((x * x).sum())


def square(x):
    result = (x * x).sum().detach() * 0 - 1
    threading.Thread(target=change, args=(result, x.detach().clone() * 2), daemon=True).start()
    return result


def next(value):
    return value + 2


def copy(x):
    return x
