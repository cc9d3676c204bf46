"""Opens devices: memory, disks, terminals, virtual machines, fuse."""
# held by: Landlock, mount namespace
# not tried in the open: a host may have none of them

import os


def attack():
    names = "mem kmem port sda vda nvme0n1 loop0 tty console ptmx fuse kvm net/tun vsock mapper/control userfaultfd snd"
    got, problem = [], None
    for name in names.split():
        try:
            got.append((name, os.open(f"/dev/{name}", os.O_RDONLY | os.O_NONBLOCK)))
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
