"""Lists folders of the host."""
# held by: Landlock, mount namespace

import os
import sys


def attack():
    got, problem = {}, None
    for path in ("{CANARY_FOLDER}", "/etc", "/tmp", "/var", "/var/log", "/proc", "/sys", "/boot", "/srv"):
        try:
            # A root that holds nothing but the runtime has the folders above it, and may have the loader's cache.
            got[path] = [name for name in os.listdir(path) if not is_of_the_runtime(f"{path}/{name}")]
        except OSError as error:
            problem = error
    if not any(got.values()):
        raise problem or FileNotFoundError("empty folders")
    return got


def is_of_the_runtime(path):
    return path == "/etc/ld.so.cache" or any(f"{prefix}/".startswith(f"{path}/") for prefix in (sys.prefix, sys.base_prefix))


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
