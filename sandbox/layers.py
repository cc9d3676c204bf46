"""Which layers of isolation this host offers, and which protection each of them holds.

Four protections must each be held by at least one layer, or the server does not start: the host's files, the network,
other processes, and resources. Where the kernel has them, all layers are used at once.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import os
import traceback
from collections.abc import Callable, Iterable

from sandbox import linux


class Layer(enum.StrEnum):
    USER_NAMESPACE = "user namespace"
    PID_NAMESPACE = "PID namespace"
    MOUNT_NAMESPACE = "mount namespace"
    NETWORK_NAMESPACE = "network namespace"
    IPC_NAMESPACE = "IPC namespace"
    UTS_NAMESPACE = "UTS namespace"
    LANDLOCK = "Landlock"
    SECCOMP = "seccomp"
    RLIMITS = "resource limits"


class Protection(enum.StrEnum):
    FILES = "the host's files"
    NETWORK = "the network"
    PROCESSES = "other processes"
    RESOURCES = "resources"


HELD_BY: dict[Protection, tuple[Layer, ...]] = {
    Protection.FILES: (Layer.LANDLOCK, Layer.MOUNT_NAMESPACE),
    Protection.NETWORK: (Layer.SECCOMP, Layer.NETWORK_NAMESPACE),
    Protection.PROCESSES: (Layer.SECCOMP, Layer.PID_NAMESPACE),
    Protection.RESOURCES: (Layer.RLIMITS,),
}

_ONLY_WITH: dict[tuple[Protection, Layer], Layer] = {
    (Protection.FILES, Layer.LANDLOCK): Layer.SECCOMP,  # Landlock leaves owner, mode and times of files open
    (Protection.NETWORK, Layer.NETWORK_NAMESPACE): Layer.MOUNT_NAMESPACE,  # Unix sockets have paths
    (Protection.PROCESSES, Layer.PID_NAMESPACE): Layer.IPC_NAMESPACE,  # shared memory has keys
}
"""A layer that holds a protection only together with another one."""

NAMESPACES: dict[Layer, int] = {
    Layer.USER_NAMESPACE: linux.CLONE_NEWUSER,
    Layer.PID_NAMESPACE: linux.CLONE_NEWPID,
    Layer.MOUNT_NAMESPACE: linux.CLONE_NEWNS,
    Layer.NETWORK_NAMESPACE: linux.CLONE_NEWNET,
    Layer.IPC_NAMESPACE: linux.CLONE_NEWIPC,
    Layer.UTS_NAMESPACE: linux.CLONE_NEWUTS,
}

_REMEDIES: dict[Layer, str] = {
    Layer.USER_NAMESPACE: "allow unprivileged user namespaces: on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_"
    "userns=0`, on older Debian `sysctl kernel.unprivileged_userns_clone=1`, where the error is 28 `sysctl "
    "user.max_user_namespaces=15000`, in a container a seccomp profile that allows `unshare`",
    **dict.fromkeys(
        (layer for layer in NAMESPACES if layer is not Layer.USER_NAMESPACE),
        "let user namespaces hold capabilities: on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in "
        "a container a seccomp profile that allows `unshare` and `mount`",
    ),
    Layer.LANDLOCK: "use a kernel from 5.13 on with `landlock` in its list of security modules (`lsm=landlock,...`)",
    Layer.SECCOMP: "use a kernel with CONFIG_SECCOMP_FILTER, and install libseccomp (Debian: `libseccomp2`)",
}
_NEEDS_USER_NAMESPACE = "needs a user namespace"
_SWITCHED_OFF = "switched off"


@dataclasses.dataclass(frozen=True)
class Layers:
    """The layers that are used, and for each missing one the reason."""

    held: frozenset[Layer]
    missing: dict[Layer, str]
    landlock_abi: int = 0

    def __contains__(self, layer: Layer) -> bool:
        return layer in self.held

    def without(self, layers: Iterable[Layer]) -> Layers:
        """The same host with some layers left unused. A namespace needs the user namespace."""
        left = set(layers)
        if Layer.USER_NAMESPACE in left:
            left |= set(NAMESPACES)
        missing = {**self.missing, **{layer: _SWITCHED_OFF for layer in left if layer in self.held}}
        return Layers(self.held - left, missing, 0 if Layer.LANDLOCK in left else self.landlock_abi)

    def protections(self) -> dict[Protection, tuple[Layer, ...]]:
        """For each protection the layers that hold it here."""
        return {
            protection: tuple(layer for layer in layers if {layer, *needs(protection, layer)} <= self.held)
            for protection, layers in HELD_BY.items()
        }

    def remedies(self) -> dict[Layer, str]:
        """What to do on this host for each missing layer that it could have by itself."""
        no_fault = (_NEEDS_USER_NAMESPACE, _SWITCHED_OFF)
        return {layer: _REMEDIES[layer] for layer, reason in self.missing.items() if reason not in no_fault}

    def open_protections(self) -> tuple[Protection, ...]:
        return tuple(protection for protection, layers in self.protections().items() if not layers)

    def to_json(self) -> str:
        missing = {str(layer): reason for layer, reason in self.missing.items()}
        return json.dumps({"held": sorted(self.held), "missing": missing, "landlock_abi": self.landlock_abi})

    @staticmethod
    def from_json(text: str) -> Layers:
        data = json.loads(text)
        missing = {Layer(name): reason for name, reason in data["missing"].items()}
        return Layers(frozenset(map(Layer, data["held"])), missing, data["landlock_abi"])


def needs(protection: Protection, layer: Layer) -> tuple[Layer, ...]:
    """The layers without which `layer` does not hold `protection`."""
    other = _ONLY_WITH.get((protection, layer))
    return () if other is None else (other,)


def probe() -> Layers:
    """Tries every layer in a child of its own. Call it while the process has one thread."""
    held = {Layer.RLIMITS}
    missing: dict[Layer, str] = {}

    def record(layer: Layer, complaint: str) -> None:
        if complaint:
            missing[layer] = complaint
        else:
            held.add(layer)

    record(Layer.USER_NAMESPACE, _complaint(lambda: enter_user_namespace(0)))
    for layer, flag in NAMESPACES.items():
        if layer is Layer.USER_NAMESPACE:
            continue
        if Layer.USER_NAMESPACE in missing:
            missing[layer] = _NEEDS_USER_NAMESPACE
        elif layer is Layer.MOUNT_NAMESPACE:
            record(layer, _complaint(_try_root))
        else:
            record(layer, _complaint(lambda flag=flag: enter_user_namespace(flag)))  # type: ignore[misc]
    abi = linux.landlock_abi()
    record(Layer.LANDLOCK, "" if abi else "this kernel does not offer it")
    record(Layer.SECCOMP, _complaint(_try_seccomp))
    return Layers(frozenset(held), missing, abi)


def enter_user_namespace(others: int) -> None:
    """Moves this process, which must have one thread, into a new user namespace and the `others` with it.

    Its user becomes `nobody` inside and stays what it was outside; it holds every capability inside until it drops
    them.
    """
    user, group = os.geteuid(), os.getegid()
    linux.unshare(linux.CLONE_NEWUSER | others)
    for name, text in (("setgroups", "deny"), ("uid_map", f"65534 {user} 1"), ("gid_map", f"65534 {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _try_root() -> None:
    from sandbox.root import enter_runtime_root, runtime_paths

    enter_user_namespace(linux.CLONE_NEWNS)
    enter_runtime_root(runtime_paths())


def _try_seccomp() -> None:
    from sandbox.policy import Profile, program

    rules = program(Profile.SOLUTION)
    linux.forbid_new_privileges()
    linux.apply_seccomp(rules)
    try:
        os.fork()
    except PermissionError:
        return
    raise OSError("a filter was accepted and had no effect")


def _complaint(attempt: Callable[[], None]) -> str:
    """What goes wrong when `attempt` runs in a child; empty when nothing does."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reader)
            attempt()
            code = 0
        except BaseException as error:
            os.write(writer, (str(error) or traceback.format_exc()).encode()[:1000])
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    status = os.waitpid(pid, 0)[1]
    return text or ("" if status == 0 else f"the attempt ended with status {status}")
