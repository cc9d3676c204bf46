"""Leaves a file, dies, and looks for it in the jail that follows."""
# held by: separate processes
# not tried in the open: its folder is the root there

import os

if os.path.exists("left-{TOKEN}"):
    raise AssertionError("ESCAPED: the folder of an earlier jail is still here")


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    with open("left-{TOKEN}", "w") as file:
        file.write("x")
    os._exit(0)
    return value + 1


def copy(x):
    return x.clone()
