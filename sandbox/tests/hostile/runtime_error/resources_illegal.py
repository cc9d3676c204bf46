"""Runs bytes that are no instruction."""
# held by: separate processes

import ctypes
import mmap
import platform


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(bytes.fromhex("0f0b" * 8) if platform.machine() == "x86_64" else bytes(16))
    ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()
    return value + 1


def copy(x):
    return x.clone()
