"""Takes more of the machine: priority, real time, all processors."""
# held by: seccomp

import os


def attack():
    attempts = [
        lambda: os.nice(-5),
        lambda: os.nice(0),
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        lambda: os.sched_setaffinity(0, range(os.cpu_count())),
    ]
    got, problem = [], None
    for attempt in attempts:
        try:
            got.append(str(attempt()))
        except OSError as error:
            problem = error
    if not got:
        raise problem
    return got


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
