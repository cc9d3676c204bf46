"""Makes a pair of sockets, to pass descriptors through."""
# held by: seccomp

import socket


def attack():
    return [str(end) for end in socket.socketpair()]


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
