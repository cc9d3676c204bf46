"""Connects to a service of the host on the loopback interface."""
# held by: seccomp, network namespace, Landlock 4

import socket


def attack():
    with socket.create_connection(("127.0.0.1", {CANARY_PORT}), timeout=1) as connection:
        return connection.getpeername()


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
