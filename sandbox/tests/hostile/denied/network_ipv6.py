"""Connects over IPv6, and over IPv4 inside IPv6."""
# held by: seccomp, network namespace, Landlock 4

import socket


def attack():
    got, problem = [], None
    for host in ("::1", "::ffff:127.0.0.1"):
        try:
            connection = socket.socket(socket.AF_INET6)
            connection.settimeout(1)
            connection.connect((host, {CANARY_PORT}))
            got.append(host)
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
