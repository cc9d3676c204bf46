"""Makes files until there is no place for more; more than a few thousand would hurt."""
# held by: mount namespace, Landlock
# not tried in the open: its folder is the root there

import os


def attack():
    made = 0
    try:
        for number in range(6000):
            os.close(os.open(f"{TOKEN}-{number}", os.O_CREAT | os.O_WRONLY))
            made += 1
    except OSError as error:
        print(error)
    return made if made > 2000 else 0


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
