"""Returns the right number as a bool, a float, a text, a list."""
# held by: separate processes


def square(x):
    return [float((x * x).sum())]


def next(value):
    return 4.0 if value == 3 else '4'


def copy(x):
    return str(x)
