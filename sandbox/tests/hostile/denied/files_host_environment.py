"""Reads the environment of other processes of the same user."""
# held by: Landlock, mount namespace
# not tried in the open: a root without capabilities may not look at one that has them


def attack():
    with open("/proc/{CANARY_PID}/environ") as file:
        return file.read()


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
