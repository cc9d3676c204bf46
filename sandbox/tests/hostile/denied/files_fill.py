"""Fills its folder; more than the memory that a jail may take would hurt."""
# held by: mount namespace, Landlock
# not tried in the open: its folder is the root there


def attack():
    written = 0
    block = b"x" * (1 << 20)
    try:
        for number in range(64):
            with open(f"{TOKEN}-{number}", "wb") as file:
                written += file.write(block)
    except OSError as error:
        print(error)
    return written if written > 20 << 20 else 0


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
