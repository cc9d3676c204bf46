"""Makes a file with a hole of a terabyte, and asks for a gigabyte of blocks."""
# held by: resource limits, mount namespace, Landlock

import os


def attack():
    file = os.open("{TOKEN}-sparse", os.O_CREAT | os.O_RDWR)
    os.unlink("{TOKEN}-sparse")
    got = []
    for attempt in (lambda: os.ftruncate(file, 1 << 40), lambda: os.posix_fallocate(file, 0, 1 << 30)):
        try:
            attempt()
            got.append(os.fstat(file).st_size)
        except OSError as error:
            print(error)
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
