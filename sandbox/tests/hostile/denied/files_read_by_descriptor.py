"""Opens the root and its own folder, and walks up from there with dir_fd."""
# held by: Landlock, mount namespace

import os


def attack():
    for start in ("/", "."):
        folder = os.open(start, os.O_PATH | os.O_DIRECTORY)
        for _ in range(8):
            folder = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=folder)
        file = os.open("{CANARY_FILE}".lstrip("/"), os.O_RDONLY, dir_fd=folder)
        return os.read(file, 100)


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
