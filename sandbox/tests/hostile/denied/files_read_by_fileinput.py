"""Runs a file of the host as a module and as a zip archive."""
# held by: Landlock, mount namespace
# not tried in the open: it holds no Python


def attack():
    import runpy
    import zipimport

    try:
        zipimport.zipimporter("{CANARY_FILE}")
    except zipimport.ZipImportError as error:
        print(error)
    return runpy.run_path("{CANARY_FILE}")


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
