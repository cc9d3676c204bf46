"""Starts as many threads as it gets, each of which computes for ever."""
# held by: resource limits

import threading

import torch


def spin():
    x = torch.ones(100, 100)
    while True:
        x = (x @ x).clamp_(0, 1)


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    threading.stack_size(256 * 1024)
    for _ in range(64):
        threading.Thread(target=spin, daemon=True).start()
    spin()
    return value + 1


def copy(x):
    return x.clone()
