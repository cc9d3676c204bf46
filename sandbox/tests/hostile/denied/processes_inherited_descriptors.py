"""Looks for descriptors that it was not meant to have."""
# held by: separate processes

import os
import stat


def attack():
    extra = []
    for descriptor in range(3, 4096):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        extra.append((descriptor, stat.S_IFMT(mode)))
    print(extra)
    return [pair for pair in extra if pair[1] != stat.S_IFSOCK] or len(extra) != 1


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
