"""Looks for hidden checks by name, everywhere that a listing works."""
# held by: Landlock, mount namespace
# not tried in the open: the glob is of the package's folder only

import glob


def attack():
    patterns = ("/checks/*", "/*/checks/*", "{PROJECT}/problems/*/checks/*", "/**/test_small*", "./**/*test*")
    return [path for pattern in patterns for path in glob.iglob(pattern)][:5]


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
