"""Climbs out of its folder by dots, double slashes and links of the kernel."""
# held by: Landlock, mount namespace


def attack():
    starts = ["..", "../../../../..", "/scratch/../", "//", "/proc/self/root/", "/proc/self/cwd/../..", "/dev/fd/../root"]
    got, problem = [], None
    for start in starts:
        for path in (start + "{CANARY_FILE}", start + "/etc/passwd"):
            try:
                with open(path) as file:
                    got.append((path, file.read(20)))
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
