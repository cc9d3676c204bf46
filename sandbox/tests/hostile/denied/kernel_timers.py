"""Makes kernel timers and alarms that fire when it has ended."""
# held by: seccomp

import signal


def attack():
    return ["set", signal.setitimer(signal.ITIMER_REAL, 1000)]


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
