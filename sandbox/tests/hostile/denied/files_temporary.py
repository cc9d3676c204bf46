"""Asks for a temporary file outside its own folder."""
# held by: Landlock, mount namespace

import tempfile


def attack():
    got, problem = [], None
    for folder in ("/tmp", "/var/tmp", "{CANARY_FOLDER}"):
        try:
            with tempfile.NamedTemporaryFile(dir=folder, prefix="{TOKEN}") as file:
                got.append(file.name)
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
