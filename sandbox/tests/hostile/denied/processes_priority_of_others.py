"""Changes the priority, the processors and the scheduler of another process."""
# held by: seccomp, PID namespace
# not tried in the open: a root without capabilities may not change one that has them

import os


def attack():
    attempts = [
        lambda: os.setpriority(os.PRIO_PROCESS, {CANARY_PID}, 19),
        lambda: os.sched_setaffinity({CANARY_PID}, {0}),
        lambda: os.sched_setscheduler({CANARY_PID}, os.SCHED_IDLE, os.sched_param(0)),
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
