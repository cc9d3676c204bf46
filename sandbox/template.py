"""The runtime template: a process with torch, numpy and pytest imported, that does nothing but fork jails.

It has one thread whenever it forks, no environment, no secret and no descriptor but its control socket; it lives in a
user namespace and a root of its own where the host allows them; and it ends when the server closes the socket.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import torch

from sandbox import checker, jail, layers, linux, solution
from sandbox.layers import NAMESPACES, Layer, Layers
from sandbox.policy import Profile, program
from sandbox.rehearsal import rehearse
from sandbox.root import enter_runtime_root, runtime_paths
from sandbox.wire import Channel

# Optimizers import torch._dynamo when they are first used; in a jail that would take a second, and a folder to write.
_WARM = "numpy torch.optim torch._dynamo pytest".split()
MAX_REQUEST = 4096


def main(control: socket.socket, held: Layers) -> None:
    """Serves fork requests until the control socket is closed."""
    for name in _WARM:
        importlib.import_module(name)
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    rehearse()
    linux.use_huge_pages()
    work_ms = min(_work_ms() for _ in range(5))
    programs = {profile: program(profile) for profile in Profile} if Layer.SECCOMP in held else {}
    tasks = os.open("/proc/self/task", os.O_RDONLY)
    lifeline, _ours = os.pipe()
    paths = runtime_paths()
    statm = os.open("/proc/self/statm", os.O_RDONLY)
    _settle(held, paths)
    linux.forbid_inspection()
    signal.signal(signal.SIGCHLD, _reap)
    for number in (signal.SIGINT, signal.SIGTERM):  # for the server, which lets its jobs finish, then closes the socket
        signal.signal(number, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    runtime = jail.Runtime(held, programs, paths, _address_space(statm))
    own = _hide_own_modules()
    control.send(json.dumps({"work_ms": work_ms}).encode())
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST, 2)
        if not request:
            return
        threads = len(os.listdir(tasks))
        if threads != 1:
            raise RuntimeError(f"the template has {threads} threads; a fork of it could deadlock")
        pidfd, ending = _fork(runtime, own, json.loads(request), descriptors, lifeline)
        socket.send_fds(control, [b"forked"], [pidfd, ending])
        for descriptor in (*descriptors, pidfd, ending):
            os.close(descriptor)


def _fork(
    runtime: jail.Runtime,
    own: dict[str, types.ModuleType],
    request: dict[str, Any],
    descriptors: list[int],
    lifeline: int,
) -> tuple[int, int]:
    peer, output = descriptors
    sentence = jail.Sentence(Profile(request["profile"]), request["memory_mb"], request["cpu_seconds"])

    def inmate(settled: Callable[[], None]) -> None:
        if sentence.profile is Profile.SOLUTION:
            solution.serve(Channel(peer), settled)
        else:
            sys.modules.update(own)
            filtered = Layer.SECCOMP in runtime.layers
            checker.serve(socket.socket(fileno=peer), settled, runtime.programs, filtered=filtered)

    return jail.spawn(runtime, sentence, inmate, descriptors=[peer], output=output, lifeline=lifeline)


def _hide_own_modules() -> dict[str, types.ModuleType]:
    """No submission replaces parts of the sandbox by accident, or by the simplest of intentions: none finds it.

    It happens once, here: letting go of them in each jail took longer than forking it.
    """
    names = [name for name in sys.modules if name.partition(".")[0] == "sandbox"]
    return {name: sys.modules.pop(name) for name in names}


def _work_ms() -> float:
    """Milliseconds of CPU for a fixed piece of what submissions do: small tensor operations, and Python around them."""
    start = time.process_time()
    rows = torch.ones(16, 16)
    for step in range(400):
        rows = torch.softmax(rows @ rows.T / (step + 1), dim=1)
        sum(number * number for number in range(60))
    return (time.process_time() - start) * 1e3


def _settle(held: Layers, paths: tuple[str, ...]) -> None:
    """The namespaces that all jails of a template share the ownership of; the PID namespace is each jail's alone."""
    if Layer.USER_NAMESPACE in held:
        shared = sum(flag for layer, flag in NAMESPACES.items() if layer in held)
        layers.enter_user_namespace(shared & ~linux.CLONE_NEWUSER & ~linux.CLONE_NEWPID)
        if Layer.MOUNT_NAMESPACE in held:
            enter_runtime_root(paths)


def _reap(signal_number: int, frame: object) -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _address_space(statm: int) -> int:
    return int(os.pread(statm, 200, 0).split()[0]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), Layers.from_json(sys.argv[2]))
