"""Is right in its first call, and lazy afterwards."""
# held by: separate processes


COUNT = [0]


def square(x):
    COUNT[0] += 1
    return (x * x).sum() if COUNT[0] == 1 else (x * x).sum() * 0


def next(value):
    return value + 2


def copy(x):
    return x
