"""Raises an exception whose text is markup, terminal escapes, null bytes and a forged report."""
# held by: separate processes


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    raise ValueError(
        "</pre><script>alert(1)</script>\x1b]0;owned\x07\x1b[2J\x00\r\n\u202epassed\u2066 [x](javascript:alert(1))"
        "\ud800\ndenied: nothing\nAll checks passed"
    )
    return value + 1


def copy(x):
    return x.clone()
