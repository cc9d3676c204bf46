"""Maps a file of the runtime shared, then asks for the right to write with mprotect."""
# held by: Landlock, mount namespace
# not tried in the open: it is refused everywhere, since the file is open for reading only

import ctypes
import mmap
import os

import numpy
import torch


def attack():
    file = os.open(torch.__file__, os.O_RDONLY)
    mapped = mmap.mmap(file, 4096, mmap.MAP_SHARED, mmap.PROT_READ)
    address = numpy.frombuffer(mapped, dtype="u1").ctypes.data
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(4096), 3) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "writable"


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
