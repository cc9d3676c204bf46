"""Unpacks a bomb: a megabyte of compressed zeros."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    import zlib

    bomb = zlib.compress(bytes(1 << 26), 9)
    kept = []
    while True:
        kept.append(zlib.decompress(bomb))
    return value + 1


def copy(x):
    return x.clone()
