"""Recurses without end."""
# held by: separate processes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    def deeper(n):
        return deeper(n + 1)
    return deeper(0)


def copy(x):
    return x.clone()
