"""Raises an exception that holds all memory."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    try:
        kept = []
        while True:
            kept.append(bytearray(1 << 20))
    except MemoryError as error:
        raise MemoryError(str(error)) from error
    return value + 1


def copy(x):
    return x.clone()
