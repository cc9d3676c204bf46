"""Builds an extension in C++."""
# held by: resource limits
# not tried in the open: it would leave caches

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    import torch.utils.cpp_extension

    torch.utils.cpp_extension.load_inline("planted", "int f() { return 1; }", functions=["f"])
    return value + 1


def copy(x):
    return x.clone()
