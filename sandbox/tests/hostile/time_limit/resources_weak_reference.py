"""Loops when a weak reference dies."""
# held by: resource limits

import time
import weakref

import torch


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    x = torch.ones(1)
    kept = weakref.ref(x, lambda reference: time.sleep(1000))
    del x
    return value + 1


def copy(x):
    return x.clone()
