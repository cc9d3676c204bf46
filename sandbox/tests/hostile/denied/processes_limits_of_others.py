"""Changes the limits of another process."""
# held by: seccomp, PID namespace

import resource


def attack():
    return resource.prlimit({CANARY_PID}, resource.RLIMIT_NOFILE, (3, 3))


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
