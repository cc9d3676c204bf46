"""The few kernel calls that Python 3.11 does not offer, each as a function that raises `OSError`.

Nothing here decides anything: `sandbox.jail` says which of these are used, in which order, and why.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
_CLONE_PIDFD = 0x1000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_ATTR_RDONLY, _MOUNT_ATTR_NOSUID = 1, 2

_HUGE_PAGE = 2 << 20
_MADV_HUGEPAGE, _MADV_COLLAPSE = 14, 25

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_LANDLOCK_RULE_PATH_BENEATH = 1
_SIGCHLD = 17

_NUMBERS = {  # system calls without a wrapper in the C library, by machine
    "x86_64": {"clone": 56, "pivot_root": 155, "capset": 126, "seccomp": 317},
    "aarch64": {"clone": 220, "pivot_root": 41, "capset": 91, "seccomp": 277},
}
# These have one number everywhere: they are younger than the common table.
_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
_CLOSE_RANGE, _MOUNT_SETATTR = 436, 442

# PyDLL keeps the interpreter lock across the call, which a fork must; CDLL would drop it.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _number(name: str) -> int:
    machine = platform.machine()
    if machine not in _NUMBERS:
        raise OSError(f"the sandbox knows x86_64 and aarch64, not {machine}")
    return _NUMBERS[machine][name]


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def _syscall(number: int, what: str, *arguments: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), what)


def _prctl(what: str, *arguments: int) -> None:
    _checked(_libc.prctl(*(ctypes.c_ulong(argument) for argument in arguments)), what)


def fork_into(namespaces: int) -> tuple[int, int]:
    """Forks like `os.fork`, the child in new namespaces. It is for a process with one thread only.

    Returns the child's pid and a pidfd of it; zero and -1 in the child. The child's C library still believes in its
    parent's thread id; it must do no more than fork again (which puts that right in the grandchild) and wait.
    """
    number = ctypes.c_long(_number("clone"))
    flags = ctypes.c_ulong(namespaces | _CLONE_PIDFD | _SIGCHLD)
    zero = ctypes.c_ulong(0)
    pidfd = ctypes.c_int(-1)
    ctypes.pythonapi.PyOS_BeforeFork()
    pid: int = _libc.syscall(number, flags, zero, ctypes.byref(pidfd), zero, zero)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0, -1
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    return _checked(pid, "clone"), pidfd.value


def unshare(flags: int) -> None:
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def close_all_but(keep: Iterable[int]) -> None:
    """Closes every descriptor that is not in `keep`."""
    low = 0
    for descriptor in sorted(set(keep)):
        if descriptor > low:
            _syscall(_CLOSE_RANGE, "close_range", ctypes.c_uint(low), ctypes.c_uint(descriptor - 1), ctypes.c_uint(0))
        low = descriptor + 1
    _syscall(_CLOSE_RANGE, "close_range", ctypes.c_uint(low), ctypes.c_uint(0xFFFFFFFF), ctypes.c_uint(0))


def die_with_parent(signal_number: int) -> None:
    """Asks for `signal_number` when the thread that forked this process ends."""
    _prctl("prctl(PR_SET_PDEATHSIG)", _PR_SET_PDEATHSIG, signal_number, 0, 0, 0)


def forbid_inspection() -> None:
    """Makes this process undumpable: others of its user cannot trace it or open its memory."""
    _prctl("prctl(PR_SET_DUMPABLE)", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def forbid_new_privileges() -> None:
    _prctl("prctl(PR_SET_NO_NEW_PRIVS)", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def drop_capabilities() -> None:
    """Empties the bounding set (where that is allowed) and every other capability set, for good."""
    capability = 0
    while True:
        try:
            _prctl("prctl(PR_CAPBSET_DROP)", _PR_CAPBSET_DROP, capability, 0, 0, 0)
        except OSError:
            break  # EPERM: there was no capability to drop any; EINVAL: that was the last
        capability += 1
    version_3 = 0x20080522
    header = struct.pack("Ii", version_3, 0)
    _syscall(_number("capset"), "capset", header, bytes(24))


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    result = _libc.mount(
        source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode() if data else None
    )
    _checked(result, f"mount {target}")


def can_mount_read_only() -> bool:
    """Whether this kernel has `mount_read_only`."""
    try:
        _mount_setattr(-1, "", 0)
    except OSError as error:
        return error.errno != errno.ENOSYS
    return True


def mount_read_only(target: str) -> None:
    """Makes the mount at `target`, and every mount below it, read-only and blind to set-user-ID bits."""
    _mount_setattr(_AT_FDCWD, target, _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID)


def _mount_setattr(folder: int, target: str, flags: int) -> None:
    attributes = struct.pack("QQQQ", flags, 0, 0, 0)
    size = ctypes.c_size_t(len(attributes))
    where, recursive = ctypes.c_int(folder), ctypes.c_uint(_AT_RECURSIVE)
    _syscall(_MOUNT_SETATTR, f"mount_setattr {target}", where, target.encode(), recursive, attributes, size)


def detach(target: str) -> None:
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def pivot_root(new_root: str, old_root: str) -> None:
    _syscall(_number("pivot_root"), "pivot_root", new_root.encode(), old_root.encode())


def set_host_name(name: str) -> None:
    _checked(_libc.sethostname(name.encode(), ctypes.c_size_t(len(name))), "sethostname")


def use_huge_pages() -> None:
    """Gathers the private memory of this process in pages of 2 MiB, where the kernel has some (Linux 6.1 and later).

    A fork copies an entry for each page: 28,000 of them otherwise take half its time.
    """
    with open("/proc/self/maps") as maps:
        lines = [line.split() for line in maps]
    for span, rights, _, _, inode, *_name in lines:
        start, end = (int(address, 16) for address in span.split("-"))
        start, end = -(-start // _HUGE_PAGE) * _HUGE_PAGE, end // _HUGE_PAGE * _HUGE_PAGE
        if inode == "0" and rights == "rw-p" and start < end:
            for advice in (_MADV_HUGEPAGE, _MADV_COLLAPSE):  # what is not granted only costs time
                _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), advice)


def apply_seccomp(program: bytes) -> None:
    """Puts a classic BPF program (as libseccomp exports it) in front of every further system call."""
    instructions = ctypes.create_string_buffer(program, len(program))

    class SockFprog(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    fprog = SockFprog(len(program) // 8, ctypes.addressof(instructions))
    _syscall(
        _number("seccomp"),
        "seccomp",
        ctypes.c_uint(_SECCOMP_SET_MODE_FILTER),
        ctypes.c_uint(0),
        ctypes.byref(fprog),
    )


def landlock_abi() -> int:
    """The version of Landlock that this kernel enforces; 0 where there is none."""
    try:
        version_flag = ctypes.c_uint(1)
        return _syscall(_LANDLOCK_CREATE_RULESET, "landlock", None, ctypes.c_size_t(0), version_flag)
    except OSError:
        return 0


def landlock_ruleset(filesystem: int, network: int, scoped: int) -> int:
    """A new ruleset, as a descriptor, that denies the given rights wherever no rule allows them."""
    attributes = struct.pack("QQQ", filesystem, network, scoped)
    size = 24 if scoped else 16 if network else 8
    return _syscall(_LANDLOCK_CREATE_RULESET, "landlock", attributes, ctypes.c_size_t(size), ctypes.c_uint(0))


def landlock_allow(ruleset: int, path: str, rights: int) -> None:
    """Allows `rights` on `path` and, for a folder, on all below it."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, descriptor)
        kind = ctypes.c_int(_LANDLOCK_RULE_PATH_BENEATH)
        _syscall(_LANDLOCK_ADD_RULE, f"landlock {path}", ctypes.c_int(ruleset), kind, rule, ctypes.c_uint(0))
    finally:
        os.close(descriptor)


def landlock_enforce(ruleset: int) -> None:
    _syscall(_LANDLOCK_RESTRICT_SELF, "landlock", ctypes.c_int(ruleset), ctypes.c_uint(0))
