"""Looks whether an earlier run left anything in its folder, and leaves something itself."""
# held by: separate processes
# not tried in the open: its folder is the root there

import os


FIRST = True


def attack():
    left = os.listdir(".") if os.getcwd() == "/scratch" else []
    with open("left-behind-{TOKEN}", "w") as file:
        file.write("hello")
    first, globals()["FIRST"] = FIRST, False
    return left if first else []


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
