"""Looks for the hidden checks among modules, functions and frozen objects."""
# held by: separate processes

import gc
import sys


def attack():
    gc.unfreeze()
    found = [name for name in sys.modules if name.startswith("test_")]
    for thing in gc.get_objects():
        if type(thing) is type(attack) and thing.__name__.startswith("test_") and hasattr(thing, "check_mark"):
            found.append(thing.__name__)
    return found


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
