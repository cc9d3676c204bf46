"""Looks for secrets in the command line that it was forked with."""
# held by: separate processes

import ctypes


def attack():
    count = ctypes.c_int()
    words = ctypes.POINTER(ctypes.c_wchar_p)()
    ctypes.pythonapi.Py_GetArgcArgv(ctypes.byref(count), ctypes.byref(words))
    text = " ".join(words[index] for index in range(count.value))
    return [word for word in ("postgres", "redis", "secret", "{TOKEN}") if word in text.lower()]


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
