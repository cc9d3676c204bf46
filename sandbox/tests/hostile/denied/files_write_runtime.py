"""Opens files of the runtime for writing: torch, the interpreter, libc."""
# held by: Landlock, mount namespace
# not tried in the open: they are real files

import os
import sys

import torch


def attack():
    got, problem = [], None
    for path in (torch.__file__, os.__file__, sys.executable, os.path.realpath("/lib64/ld-linux-x86-64.so.2")):
        for flags in (os.O_WRONLY, os.O_RDWR, os.O_RDWR | os.O_APPEND):
            try:
                got.append((path, os.open(path, flags)))
            except OSError as error:
                problem = error
    if not got:
        raise problem
    return got


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
