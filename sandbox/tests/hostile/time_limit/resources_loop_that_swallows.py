"""Loops for ever and swallows whatever is raised in it."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            continue
    return value + 1


def copy(x):
    return x.clone()
