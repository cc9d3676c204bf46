"""Opens a socket to the host of the virtual machine."""
# held by: seccomp
# not tried in the open: a kernel may have none

import socket


def attack():
    return socket.socket(40, 1, 0).fileno()


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
