"""Becomes another user, by every call that can."""
# held by: seccomp
# not tried in the open: it needs root

import os


def attack():
    other = 1 if os.getuid() != 1 else 2
    got, problem = [], None
    for attempt in (os.setuid, os.setgid, os.seteuid, os.setegid):
        try:
            attempt(other)
            got.append(attempt.__name__)
        except OSError as error:
            problem = error
    for attempt in (os.setresuid, os.setresgid, os.setgroups):
        try:
            attempt([other]) if attempt is os.setgroups else attempt(other, other, other)
            got.append(attempt.__name__)
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
