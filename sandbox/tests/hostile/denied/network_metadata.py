"""Asks a cloud's metadata service for credentials."""
# held by: seccomp, network namespace, Landlock 4
# not tried in the open: the address may answer


def attack():
    import urllib.request

    with urllib.request.urlopen("http://169.254.169.254/latest/meta-data/", timeout=0.3) as answer:
        return answer.read(20)


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
