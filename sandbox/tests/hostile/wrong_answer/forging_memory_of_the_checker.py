"""Reads what lies around its inputs in memory, and returns it."""
# held by: separate processes

import ctypes

import torch


def square(x):
    address = x.data_ptr()
    near = ctypes.string_at(address - 256, 1024)
    return torch.frombuffer(bytearray(near), dtype=torch.float32).sum()


def next(value):
    return value + 2


def copy(x):
    return x
