"""Makes a file and a folder beside a file of the host."""
# held by: Landlock, mount namespace

import os


def attack():
    got, problem = [], None
    for make in (lambda: os.mkdir("{CANARY_FOLDER}/{TOKEN}-folder"), lambda: open("{CANARY_FOLDER}/{TOKEN}-file", "w")):
        try:
            got.append(str(make()))
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
