"""The jail: what a fresh fork of a template does before the first byte of foreign code runs in it.

`spawn` forks twice. The first child is the *keeper*: process 1 of the new PID namespace, running only our code; it
waits for the second and writes down how that ended. The second is the *inmate*, and enters the jail in named steps:

1. `start_session`: a session of its own, no inherited descriptors, no environment, death with its keeper;
2. `settle_in_namespaces`: a private scratch folder and host name (the namespaces were made by the fork);
3. `limit_resources`;
4. `confine_files`: Landlock;
5. `give_up_privileges` and `filter_system_calls`.

Then it calls the given function and never returns.
"""

from __future__ import annotations

import dataclasses
import os
import resource
import select
import signal
import struct
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from typing import TypeVar

from sandbox import linux, root
from sandbox.layers import NAMESPACES, Layer, Layers
from sandbox.policy import Profile

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_OPEN_FILES = 64
MAX_PROCESSES_OF_TEMPLATE = 1024
HOST_NAME = "jail"
FORK_SECONDS = 5.0
T = TypeVar("T")

_STATUS = struct.Struct("=iqq")  # wait status, microseconds of CPU, KiB grown
_SIZE = struct.Struct("=q")  # KiB

Inmate = Callable[[Callable[[], None]], None]
"""What runs in a jail. It is given a function to call right before the first foreign byte: it is weighed from there."""

_READ_FILE, _READ_DIR, _WRITE_FILE, _TRUNCATE, _IOCTL_DEV = 1 << 2, 1 << 3, 1 << 1, 1 << 14, 1 << 15
_FILESYSTEM_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_NETWORK_RIGHTS = {4: 0b11}  # bind and connect TCP
_SCOPES = {6: 0b11}  # abstract sockets and signals stay inside


@dataclasses.dataclass(frozen=True)
class Runtime:
    """What a template works out once, for every jail that it forks."""

    layers: Layers
    programs: dict[Profile, bytes]
    paths: tuple[str, ...]
    address_space: int
    """Bytes that the template itself maps: the limit of a jail counts from there."""


@dataclasses.dataclass(frozen=True)
class Sentence:
    """What one jail is allowed."""

    profile: Profile
    memory_mb: int
    cpu_seconds: int


@dataclasses.dataclass(frozen=True)
class Ending:
    """How an inmate ended: exactly one of `exit_code` and `signal` is set."""

    exit_code: int | None
    signal: int | None
    cpu_seconds: float
    grown_mb: float
    """Resident MiB at the peak, beyond what it was when foreign code began."""


class JailBroken(Exception):
    """A step of the jail failed, so that nothing ran in it. The message is the traceback."""


def spawn(
    runtime: Runtime,
    sentence: Sentence,
    inmate: Inmate,
    *,
    descriptors: Iterable[int],
    output: int,
    lifeline: int,
) -> tuple[int, int]:
    """Forks a keeper and its inmate. Returns a pidfd of the keeper, and the descriptor to which the ending is written.

    `descriptors` stay open in the inmate; `output` becomes its standard output and error. `lifeline` is the reading
    end of a pipe whose other end only the template holds.
    """
    ending, writer = os.pipe()
    pid, pidfd = _patiently(lambda: linux.fork_into(_jail_namespaces(runtime.layers)))
    if pid:
        os.close(writer)
        return pidfd, ending
    try:
        _keep(
            runtime, sentence, inmate, descriptors=tuple(descriptors), output=output, lifeline=lifeline, report=writer
        )
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _patiently(fork: Callable[[], T]) -> T:
    """Forks; where the host or the container has no process left, again for a few seconds: one may be free soon."""
    end = time.monotonic() + FORK_SECONDS
    while True:
        try:
            return fork()
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def read_ending(descriptor: int) -> Ending | None:
    """What the keeper wrote, once it has ended; None if it was killed before it could write. Raises `JailBroken`."""
    with os.fdopen(descriptor, "rb") as pipe:
        data = pipe.read()
    if len(data) < _STATUS.size:
        return None
    complaint = data[: -_STATUS.size].decode(errors="replace")
    if complaint:
        raise JailBroken(complaint)
    status, cpu, grown = _STATUS.unpack(data[-_STATUS.size :])
    killed = os.WIFSIGNALED(status)
    return Ending(
        exit_code=None if killed else os.WEXITSTATUS(status),
        signal=os.WTERMSIG(status) if killed else None,
        cpu_seconds=cpu / 1e6,
        grown_mb=grown / 1024,
    )


def _jail_namespaces(layers: Layers) -> int:
    """The namespaces that each jail has to itself; the user namespace is the template's."""
    return sum(flag for layer, flag in NAMESPACES.items() if layer in layers and layer is not Layer.USER_NAMESPACE)


def _keep(
    runtime: Runtime,
    sentence: Sentence,
    inmate: Inmate,
    *,
    descriptors: tuple[int, ...],
    output: int,
    lifeline: int,
    report: int,
) -> None:
    linux.die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if select.select([lifeline], [], [], 0)[0]:
        return  # the template ended before the line above took hold
    scales, weight = os.pipe()
    pid = _patiently(os.fork)
    if pid == 0:
        try:
            enter(runtime, sentence, descriptors=(*descriptors, report, weight), output=output)
        except BaseException:
            os.write(report, traceback.format_exc().encode())
            os._exit(1)
        os.close(report)
        code = 1
        try:
            inmate(lambda: _weigh(weight))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    linux.close_all_but([report, scales])
    _, status, usage = os.wait4(pid, 0)
    cpu = int((usage.ru_utime + usage.ru_stime) * 1e6)
    # Without a weight no foreign code ran.
    start = os.read(scales, _SIZE.size) or _SIZE.pack(usage.ru_maxrss)
    os.write(report, _STATUS.pack(status, cpu, usage.ru_maxrss - _SIZE.unpack(start)[0]))
    os._exit(0)


def _weigh(weight: int) -> None:
    """Notes the size of this process: what it shares with the template, and pages of libraries that it has used."""
    os.write(weight, _SIZE.pack(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
    os.close(weight)


def enter(runtime: Runtime, sentence: Sentence, *, descriptors: tuple[int, ...], output: int) -> None:
    """The steps, in order. Any of them that fails, fails the jail: no foreign code runs."""
    start_session(descriptors, output)
    settle_in_namespaces(runtime.layers)
    limit_resources(runtime, sentence)
    confine_files(runtime)
    give_up_privileges()
    filter_system_calls(runtime, sentence.profile)


def start_session(descriptors: tuple[int, ...], output: int) -> None:
    linux.die_with_parent(signal.SIGKILL)
    os.setsid()
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    linux.close_all_but([0, 1, 2, *descriptors])
    os.environ.clear()
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP) and signal.getsignal(number) not in (signal.SIG_DFL, None):
            signal.signal(number, signal.SIG_DFL)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # errors to handle, as everywhere in Python
        signal.signal(number, signal.SIG_IGN)


def settle_in_namespaces(layers: Layers) -> None:
    os.chdir("/")
    if Layer.UTS_NAMESPACE in layers:
        linux.set_host_name(HOST_NAME)
    if Layer.MOUNT_NAMESPACE in layers:
        linux.mount("tmpfs", root.SCRATCH, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, root.SCRATCH_OPTIONS)
        os.chdir(root.SCRATCH)


def limit_resources(runtime: Runtime, sentence: Sentence) -> None:
    address_space = runtime.address_space + sentence.memory_mb * 1024 * 1024
    limits = {
        resource.RLIMIT_AS: (address_space, address_space),
        resource.RLIMIT_CPU: (sentence.cpu_seconds, sentence.cpu_seconds + 1),
        resource.RLIMIT_FSIZE: (MAX_FILE_BYTES, MAX_FILE_BYTES),
        resource.RLIMIT_NOFILE: (MAX_OPEN_FILES, MAX_OPEN_FILES),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
        resource.RLIMIT_MSGQUEUE: (0, 0),
    }
    if Layer.USER_NAMESPACE in runtime.layers:
        # Elsewhere the count would be of everything that this user runs on the host.
        limits[resource.RLIMIT_NPROC] = (MAX_PROCESSES_OF_TEMPLATE, MAX_PROCESSES_OF_TEMPLATE)
    for name, values in limits.items():
        resource.setrlimit(name, values)


def confine_files(runtime: Runtime) -> None:
    """Landlock: reading in the runtime's folders, everything in the scratch folder, nothing elsewhere."""
    abi = runtime.layers.landlock_abi
    if not abi:
        return
    filesystem = _newest(_FILESYSTEM_RIGHTS, abi)
    linux.forbid_new_privileges()
    ruleset = linux.landlock_ruleset(filesystem, _newest(_NETWORK_RIGHTS, abi), _newest(_SCOPES, abi))
    for path in runtime.paths:
        linux.landlock_allow(ruleset, path, _READ_FILE | _READ_DIR if os.path.isdir(path) else _READ_FILE)
    for path in root.DEVICES:
        if os.path.exists(path):
            linux.landlock_allow(ruleset, path, (_READ_FILE | _WRITE_FILE | _IOCTL_DEV | _TRUNCATE) & filesystem)
    if Layer.MOUNT_NAMESPACE in runtime.layers:
        linux.landlock_allow(ruleset, root.SCRATCH, filesystem)
    linux.landlock_enforce(ruleset)
    os.close(ruleset)


def _newest(rights: dict[int, int], abi: int) -> int:
    known = [value for version, value in sorted(rights.items()) if version <= abi]
    return known[-1] if known else 0


def give_up_privileges() -> None:
    linux.drop_capabilities()
    linux.forbid_new_privileges()


def filter_system_calls(runtime: Runtime, profile: Profile) -> None:
    # Nothing of the host may be imported lazily from the project's folder any more.
    project = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:] = [path for path in sys.path if path and os.path.abspath(path) != project]
    if Layer.SECCOMP in runtime.layers:
        linux.apply_seccomp(runtime.programs[profile])
