"""Maps a file of the runtime shared and writable, to change it for every other run."""
# held by: Landlock, mount namespace
# not tried in the open: it is refused everywhere, since the file is open for reading only

import mmap

import torch


def attack():
    with open(torch.__file__, "rb") as file:
        got = mmap.mmap(file.fileno(), 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    got.close()
    return "writable"


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
