"""Asks inspect and linecache for the source of the hidden checks."""
# held by: separate processes

import inspect


def attack():
    import linecache

    names = [name for name in linecache.cache if "test_" in name and "/" not in name]
    for frame in inspect.stack():
        names += [line for line in frame.code_context or () if "close(" in line or "@check" in line]
    return names


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
