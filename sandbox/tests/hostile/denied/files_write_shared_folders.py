"""Writes into the folders that every user of the host may write to."""
# held by: Landlock, mount namespace
# not tried in the open: others would see the files


def attack():
    got, problem = [], None
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/run/user/0"):
        try:
            with open(f"{folder}/{TOKEN}", "w") as file:
                got.append((folder, file.write("here")))
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
