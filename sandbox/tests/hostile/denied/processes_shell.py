"""Runs a shell."""
# held by: Landlock, mount namespace, seccomp

import subprocess


def attack():
    return subprocess.run(["/bin/sh", "-c", "id"], capture_output=True, timeout=5).stdout


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
