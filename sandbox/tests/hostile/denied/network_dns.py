"""Sends a query to a name server itself."""
# held by: seccomp, network namespace
# not tried in the open: it would send a query

import socket


def attack():
    query = bytes.fromhex("123401000001000000000000") + b"\x07example\x07invalid\0\0\1\0\1"
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(query, ("198.51.100.53", 53))


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
