"""Follows a symbolic link of its own making to a file of the host."""
# held by: Landlock, mount namespace
# not tried in the open: the link would stay in the root

import os


def attack():
    os.symlink("{CANARY_FILE}", "{TOKEN}-link")
    with open("{TOKEN}-link") as file:
        return file.read()


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
