"""Returns a list a hundred thousand deep, and one that contains itself."""
# held by: separate processes


def square(x):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return nested


def next(value):
    loop = []
    loop += [loop] * 1000
    return loop


def copy(x):
    return x
