"""Opens a socket that sees every packet."""
# held by: seccomp
# not tried in the open: it needs root

import socket


def attack():
    return socket.socket(17, 3, 768).fileno()


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
