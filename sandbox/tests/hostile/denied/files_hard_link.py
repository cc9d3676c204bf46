"""Links a file of the host to a name of its own."""
# held by: Landlock, mount namespace, seccomp

import os


def attack():
    os.link("{CANARY_FILE}", "{CANARY_FOLDER}/{TOKEN}-linked")
    return "linked"


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
