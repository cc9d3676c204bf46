"""Opens a port, to be called from outside."""
# held by: seccomp

import socket


def attack():
    listener = socket.socket()
    listener.bind(("0.0.0.0", 0))
    listener.listen()
    return listener.getsockname()


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
