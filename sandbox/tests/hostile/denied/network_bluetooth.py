"""Opens a socket of families that few use: Bluetooth, CAN, TIPC, RDS, XDP."""
# held by: seccomp
# not tried in the open: a kernel may have none

import socket


def attack():
    got, problem = [], None
    for family in (31, 29, 30, 21, 44, 43, 4, 9):
        for kind in (1, 2, 3, 5):
            try:
                got.append((family, socket.socket(family, kind, 0).fileno()))
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
