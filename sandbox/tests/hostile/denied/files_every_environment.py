"""Reads every environment and command line that /proc shows."""
# held by: Landlock, mount namespace


def attack():
    got = []
    for number in [*range(1, 40), {CANARY_PID}, "self", "thread-self"]:
        for name in ("environ", "cmdline", "maps", "status"):
            try:
                with open(f"/proc/{number}/{name}", "rb") as file:
                    got.append((number, name, file.read(40)))
            except OSError:
                pass
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
