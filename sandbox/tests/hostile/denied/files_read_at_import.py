"""Reads files of the host while it is loaded, before any check."""
# held by: Landlock, mount namespace


FOUND = []
for path in ("/etc/passwd", "/etc/hostname", "{CANARY_FILE}"):
    try:
        with open(path) as file:
            FOUND.append(file.read(20))
    except OSError as error:
        print("denied:", error)


def attack():
    return FOUND


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
