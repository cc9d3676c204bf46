"""Makes a 32-bit system call in a second thread, which must not die alone."""
# held by: seccomp

import ctypes
import mmap
import platform
import threading


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
    thread = threading.Thread(target=run, args=(bytes.fromhex("b814000000cd80c3"),))
    thread.start()
    thread.join()
    return value + 1


def copy(x):
    return x.clone()
