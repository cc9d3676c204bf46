"""Opens shared memory of the same user by its name."""
# held by: Landlock, mount namespace
# not tried in the open: its tracker starts a process


def attack():
    from multiprocessing import shared_memory

    memory = shared_memory.SharedMemory("{CANARY_MEMORY}")
    memory.buf[0] = 0
    return "opened"


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
