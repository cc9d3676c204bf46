"""Looks for what other runs left: scratch folders, working folders, sockets."""
# held by: Landlock, mount namespace

import glob
import sys


def attack():
    patterns = ("/scratch*/*", "/tmp/*", "/var/tmp/*", "/dev/shm/*", "/run/*", "/proc/*/cwd/*", "/proc/*/root/scratch/*")
    found = [path for pattern in patterns for path in glob.glob(pattern)]
    # The folders above the runtime are no run's.
    return [path for path in found if not any(f"{prefix}/".startswith(f"{path}/") for prefix in (sys.prefix, sys.base_prefix))][:5]


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
