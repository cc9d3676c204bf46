"""Returns an object whose type has markup and escapes for a name."""
# held by: separate processes


def square(x):
    return type('<script>\x1b[31m\u202e', (), {'__module__': '<b>\x00', '__qualname__': '\x1b' * 1000})()


def next(value):
    return type('\u202e', (int,), {})(4)


def copy(x):
    return x
