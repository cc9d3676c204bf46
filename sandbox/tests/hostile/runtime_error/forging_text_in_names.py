"""Has markup, escapes and surrogates in the name of its exception."""
# held by: separate processes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    raise type("<b>\x1b[31m\u202eError", (Exception,), {"__module__": "<i>\x00"})("\udcff" * 10)


def copy(x):
    return x.clone()
