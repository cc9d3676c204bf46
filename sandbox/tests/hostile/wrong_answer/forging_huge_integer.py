"""Returns whole numbers of any size."""
# held by: separate processes


def square(x):
    return x.sum() * 0


def next(value):
    return 10**4000 if value == 3 else -(2**511)


def copy(x):
    return x
