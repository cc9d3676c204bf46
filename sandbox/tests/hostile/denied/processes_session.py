"""Is in the session of another process, or has a terminal to type into."""
# held by: separate processes

import os


def attack():
    import fcntl

    got = [os.getsid(0) != os.getpid() or "own session"]
    for descriptor in range(3):
        try:
            fcntl.ioctl(descriptor, 0x5412, b"x")
            got.append(descriptor)
        except OSError as error:
            print("denied:", error)
    try:
        got.append(os.open("/dev/tty", os.O_RDWR))
    except OSError as error:
        print("denied:", error)
    return got[1:] or got[0] != "own session"


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
