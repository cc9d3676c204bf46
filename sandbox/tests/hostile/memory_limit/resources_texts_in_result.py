"""Returns one long text fifty thousand times, which becomes gigabytes when it is sent."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return ["x" * 65000] * 50_000


def copy(x):
    return x.clone()
