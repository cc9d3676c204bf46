"""Looks for what other runs left: scratch folders, working folders, sockets."""
# held by: Landlock, mount namespace

import glob


def attack():
    patterns = ("/scratch*/*", "/tmp/*", "/var/tmp/*", "/dev/shm/*", "/run/*", "/proc/*/cwd/*", "/proc/*/root/scratch/*")
    return [path for pattern in patterns for path in glob.glob(pattern)][:5]


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
