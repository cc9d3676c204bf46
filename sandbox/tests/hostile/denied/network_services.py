"""Looks for Redis, PostgreSQL, the web server and others where they usually are."""
# held by: seccomp, network namespace, Landlock 4

import socket


def attack():
    got, problem = [], None
    for host in ("127.0.0.1", "localhost", "::1"):
        for port in (6379, 5432, 8000, 80, 443, 22, 2375, {CANARY_PORT}):
            try:
                socket.create_connection((host, port), timeout=0.2).close()
                got.append((host, port))
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
