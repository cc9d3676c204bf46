"""Starts an event loop, which makes sockets for itself."""
# held by: seccomp


def attack():
    import asyncio

    async def nothing():
        return "ran"

    return asyncio.run(nothing())


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
