"""Takes a lock on a file of the host, for others to wait on."""
# held by: Landlock, mount namespace

import os


def attack():
    import fcntl

    fcntl.flock(os.open("{CANARY_FILE}", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return "locked"


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
