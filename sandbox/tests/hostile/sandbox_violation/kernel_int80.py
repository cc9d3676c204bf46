"""Makes 32-bit system calls, whose numbers mean others to a filter for 64 bits."""
# held by: seccomp

import ctypes
import mmap
import platform


def run(code):
    """Runs machine code; another machine makes a call that it forbids too."""
    if platform.machine() != "x86_64":
        ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    run(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
    return value + 1


def copy(x):
    return x.clone()
