"""Makes a device node for the machine's memory in its own folder, and opens it."""
# held by: mount namespace, seccomp, Landlock
# not tried in the open: it needs root

import os
import stat


def attack():
    os.mknod("{TOKEN}-memory", 0o600 | stat.S_IFCHR, os.makedev(1, 1))
    try:
        return os.open("{TOKEN}-memory", os.O_RDONLY)
    finally:
        os.unlink("{TOKEN}-memory")


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
