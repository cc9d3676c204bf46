"""Scans its heap for the text of a hidden check."""
# held by: separate processes

import ctypes
import re


def attack():
    pattern = re.compile(rb"[L]eaves a gradient of 2x|[S]ums the squares|[A]dds one|[R]efuses a text")
    libc = ctypes.CDLL(None)
    libc.sbrk.restype = ctypes.c_void_p
    present = ctypes.create_string_buffer(1)
    found = []
    # Where C keeps its small blocks, and where Python keeps its own.
    for end in (libc.sbrk(0) & ~4095, (id(object()) & ~4095) + (8 << 20), (id(attack) & ~4095) + (8 << 20)):
        for page in range(end - (24 << 20), end, 4096):
            if libc.mincore(ctypes.c_void_p(page), ctypes.c_size_t(4096), present) == 0:
                found += [match.group()[:60] for match in pattern.finditer(ctypes.string_at(page, 4096))]
    return found


def square(x):
    try:
        got = attack()
    except OSError as error:
        print("denied:", error)
    else:
        assert not got, f"ESCAPED: {got}"
        print("denied: nothing was found")
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    return x.clone()
