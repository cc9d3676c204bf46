"""Connects with the protocols that TCP rules forget: MPTCP, SCTP, UDP-Lite."""
# held by: seccomp, network namespace
# not tried in the open: a kernel may have none of them

import socket


def attack():
    got, problem = [], None
    for kind, protocol in ((socket.SOCK_STREAM, 262), (socket.SOCK_STREAM, 132), (socket.SOCK_DGRAM, 136)):
        try:
            connection = socket.socket(socket.AF_INET, kind, protocol)
            connection.settimeout(0.5)
            connection.connect(("127.0.0.1", {CANARY_PORT}))
            got.append(protocol)
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
