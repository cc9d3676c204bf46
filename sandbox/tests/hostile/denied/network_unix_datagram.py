"""Sends a datagram to a Unix socket of the host by its path."""
# held by: seccomp, mount namespace

import socket


def attack():
    return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"hello", "{CANARY_DATAGRAM_SOCKET}")


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
