"""The file system of a jail: a root that holds the Python runtime, read-only, and nothing else of the host."""

from __future__ import annotations

import os
import sys

from sandbox import linux

SCRATCH = "/scratch"
SCRATCH_OPTIONS = "size=16m,nr_inodes=1024,mode=700"
"""Each jail with a mount namespace has a scratch folder of its own, in memory, of this size."""

_LIBRARIES = ("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_FILES = ("/etc/ld.so.cache",)
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_MOUNT_POINTS = ("/tmp", "/var/tmp", "/mnt", "/run")

# What the kernel locks on a mount that came from a namespace with more rights must be repeated when it is remounted.
_KEPT_FLAGS = {
    os.ST_NOSUID: linux.MS_NOSUID,
    os.ST_NODEV: linux.MS_NODEV,
    os.ST_NOEXEC: linux.MS_NOEXEC,
    os.ST_NOATIME: 0x400,
    os.ST_NODIRATIME: 0x800,
    os.ST_RELATIME: 0x200000,
}


def runtime_paths() -> tuple[str, ...]:
    """The folders and files of the host that the Python runtime needs, none inside another.

    The project's own folder is not among them, only its virtual environment.
    """
    real = {os.path.realpath(path) for path in _wanted()}
    return tuple(sorted(path for path in real if not any(path.startswith(other + "/") for other in real)))


def _wanted() -> list[str]:
    """The runtime's paths by the names under which it looks for them."""
    project = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # Modules may also lie outside the prefixes, where PYTHONPATH or a .pth file points.
    modules = [path for path in sys.path if path and not (project + "/").startswith(os.path.abspath(path) + "/")]
    named = [sys.base_prefix, sys.prefix, sys.exec_prefix, *modules, *_LIBRARIES, *_FILES]
    return [os.path.abspath(path) for path in named if os.path.exists(path)]


def _first_link(path: str) -> str | None:
    """The first part of `path` that is a symbolic link: itself or a folder above it."""
    parts = path.split("/")
    above = ("/".join(parts[: count + 1]) for count in range(1, len(parts)))
    return next((part for part in above if os.path.islink(part)), None)


def enter_runtime_root(paths: tuple[str, ...]) -> None:
    """Makes a root of `paths` and three devices, read-only, and moves this process's mount namespace to it.

    The process must already be in a mount namespace of its own, with the right to mount.
    """
    linked = {link for path in _wanted() if (link := _first_link(path)) is not None}
    links = {link: os.path.realpath(link) for link in linked}
    sources = {path: os.open(path, os.O_PATH) for path in (*paths, *DEVICES) if os.path.exists(path)}
    # Sources are named by descriptor from here on: the mount point may hide their paths.
    new_root = next(path for path in _MOUNT_POINTS if os.path.isdir(path))
    proc = os.open("/proc/self/fd", os.O_PATH)
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", new_root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=755")
    for path, descriptor in sources.items():
        _bind(f"/proc/self/fd/{descriptor}", new_root + path, device=path in DEVICES)
        os.close(descriptor)
    for path, target in links.items():
        if not os.path.lexists(new_root + path):
            os.makedirs(os.path.dirname(new_root + path), exist_ok=True)
            os.symlink(target, new_root + path)
    os.mkdir(new_root + SCRATCH, 0o700)
    os.close(proc)
    os.chdir(new_root)
    linux.pivot_root(".", ".")
    linux.detach(".")
    os.chdir("/")
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV
    linux.mount("none", "/", "", flags)


def _bind(source: str, target: str, *, device: bool) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o444))
    # Where mounts below can't be made read-only too, the kernel refuses to bind a folder that has some.
    recursive = linux.can_mount_read_only()
    linux.mount(source, target, "", linux.MS_BIND | (linux.MS_REC if recursive else 0))
    if device:
        return  # a device is written to through a read-only mount, too; its own mode decides
    if recursive:
        linux.mount_read_only(target)
        return
    present = os.statvfs(target).f_flag
    kept = sum(flag for bit, flag in _KEPT_FLAGS.items() if present & bit)
    flags = linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | kept
    linux.mount("none", target, "", flags)
