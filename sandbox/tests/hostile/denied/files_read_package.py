"""Reads the problem's package and the project's source."""
# held by: Landlock, mount namespace

import os


def attack():
    got, problem = [], None
    for name in ("sandbox/checker.py", "sandbox/tests/packages.py", "problems", "var", "pyproject.toml", ".git/HEAD"):
        path = "{PROJECT}/" + name
        try:
            got.append(os.listdir(path) if "." not in name and "/" not in name else open(path).read(40))
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
