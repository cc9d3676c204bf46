"""Makes a file without a name in folders of the host."""
# held by: Landlock, mount namespace

import os


def attack():
    got, problem = [], None
    for folder in ("{CANARY_FOLDER}", "/tmp", "/var/tmp", "/dev/shm", "/run"):
        try:
            got.append(os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600))
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
