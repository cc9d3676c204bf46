"""Fills torch's caches, in the home folder and where its settings point."""
# held by: Landlock, mount namespace

import os

import torch


def attack():
    os.environ["TORCH_HOME"] = os.environ["HOME"] = "{CANARY_FOLDER}/{TOKEN}"
    torch.hub.set_dir("{CANARY_FOLDER}/{TOKEN}/hub")
    os.makedirs(torch.hub.get_dir(), exist_ok=True)
    torch.save({"a": 1}, os.path.join(torch.hub.get_dir(), "cached.pt"))
    return "cached"


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
