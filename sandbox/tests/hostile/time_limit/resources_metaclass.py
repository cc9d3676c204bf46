"""Loops when the judge asks for the name of the type that it returned."""
# held by: resource limits


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    class Meta(type):
        def __getattribute__(cls, name):
            while True:
                pass

    class Value(metaclass=Meta):
        pass

    return Value()


def copy(x):
    return x.clone()
