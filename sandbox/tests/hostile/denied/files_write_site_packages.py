"""Plants files beside torch, where the next run would import them."""
# held by: Landlock, mount namespace
# not tried in the open: it would plant real files

import os

import torch


def attack():
    folder = os.path.dirname(os.path.dirname(torch.__file__))
    got, problem = [], None
    for name in ("{TOKEN}.pth", "{TOKEN}.py", "torch/{TOKEN}.so"):
        try:
            got.append(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT))
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
