"""Lists folders of the host."""
# held by: Landlock, mount namespace

import os


def attack():
    got, problem = {}, None
    for path in ("{CANARY_FOLDER}", "/etc", "/home", "/root", "/tmp", "/var", "/proc", "/sys", "/boot", "/srv", "/opt"):
        try:
            got[path] = os.listdir(path)
        except OSError as error:
            problem = error
    if not any(got.values()):
        raise problem or FileNotFoundError("empty folders")
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
