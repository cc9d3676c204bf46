"""Raises its own limits again."""
# held by: seccomp, resource limits

import resource


def attack():
    got, problem = [], None
    for name in ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE"):
        number = getattr(resource, name)
        hard = resource.getrlimit(number)[1]
        try:
            resource.setrlimit(number, (hard + 1, hard + 1))
            got.append(name)
        except (OSError, ValueError) as error:
            problem = error
    if not got:
        raise OSError(problem)
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
