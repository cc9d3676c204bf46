"""Looks for the sockets of container engines, databases, buses and the system log."""
# held by: seccomp, mount namespace

import socket


def attack():
    paths = ["/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/systemd/private", "/dev/log"]
    paths += ["/var/run/postgresql/.s.PGSQL.5432", "/run/dbus/system_bus_socket", "/tmp/.X11-unix/X0", "{CANARY_SOCKET}"]
    got, problem = [], None
    for path in paths:
        try:
            socket.socket(socket.AF_UNIX).connect(path)
            got.append(path)
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
