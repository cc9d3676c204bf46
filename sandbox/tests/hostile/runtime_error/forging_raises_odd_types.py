"""Raises exceptions whose type, name and text are traps."""
# held by: separate processes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    class Meta(type):
        @property
        def __module__(cls):
            raise ValueError

    class Odd(BaseException, metaclass=Meta):
        __name__ = 3
        __qualname__ = "<script>alert(1)</script>\x1b[31m\x00"

        def __str__(self):
            raise self

    raise Odd


def copy(x):
    return x.clone()
