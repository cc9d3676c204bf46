"""Writes over, and appends to, a file of the host."""
# held by: Landlock, mount namespace


def attack():
    got, problem = [], None
    for mode in ("r+", "a", "w"):
        try:
            with open("{CANARY_FILE}", mode) as file:
                got.append(file.write("overwritten"))
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
