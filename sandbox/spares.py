"""Solution jails, one of them ready in advance.

A jail is forked for one submission and never used again. But it need not be forked after the submission has come: when
a job has taken its jail, the next one of the same kind is prepared on the side, which has entered its jail and has done
once what torch does slowly the first time. A job that finds one waiting begins at once.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import fcntl
import logging
import os
import socket
import threading

from sandbox.host import Jail, SandboxFault, Template
from sandbox.jail import JailBroken
from sandbox.policy import Profile

log = logging.getLogger("sandbox")

KEPT_SPARES = 2
"""How many jails wait at most, each of another kind."""
_PIPE_BYTES = 1 << 18


@dataclasses.dataclass(frozen=True)
class Kind:
    """What a jail may use: jails of one kind are alike."""

    memory_mb: int
    cpu_seconds: int


@dataclasses.dataclass(frozen=True)
class SolutionJail:
    """A jail, the checker's end of its channel, and the pipe of what it prints."""

    jail: Jail
    channel: int
    printed: int

    def close(self) -> None:
        os.close(self.channel)
        os.close(self.printed)
        with contextlib.suppress(JailBroken, SandboxFault):
            self.jail.close()


class SolutionJails:
    """Where jails for submissions come from."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._lock = threading.Lock()
        self._spares: collections.OrderedDict[Kind, SolutionJail] = collections.OrderedDict()
        self._preparing: dict[Kind, threading.Thread] = {}
        self._stopped = False

    def take(self, kind: Kind) -> SolutionJail:
        """A fresh jail of that kind: the spare one if it is there. Raises `SandboxFault`."""
        with self._lock:
            spare = self._spares.pop(kind, None)
            if kind not in self._preparing and not self._stopped:
                thread = threading.Thread(target=self._prepare, args=(kind,), daemon=True)
                with contextlib.suppress(RuntimeError):  # no thread is free: the next job forks its own
                    thread.start()
                    self._preparing[kind] = thread
        if spare is not None:
            if not spare.jail.wait(0):
                return spare
            spare.close()  # its template has died
        return self._fork(kind)

    def _prepare(self, kind: Kind) -> None:
        try:
            surplus: SolutionJail | None = self._fork(kind)
        except SandboxFault as fault:
            surplus = None
            log.error("no jail could be prepared: %s", fault)
        with self._lock:
            del self._preparing[kind]
            if surplus is not None and not self._stopped:
                self._spares[kind], surplus = surplus, self._spares.pop(kind, None)
                if len(self._spares) > KEPT_SPARES:
                    _, surplus = self._spares.popitem(last=False)
        if surplus is not None:
            surplus.close()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            preparing = list(self._preparing.values())
        for thread in preparing:
            thread.join()
        with self._lock:
            spares = list(self._spares.values())
            self._spares.clear()
        for spare in spares:
            spare.close()

    def _fork(self, kind: Kind) -> SolutionJail:
        printed, output = os.pipe()
        os.set_blocking(printed, False)
        with contextlib.suppress(PermissionError):  # an unprivileged user may have used up its pages for pipes
            fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                jail = self._template.fork(
                    Profile.SOLUTION,
                    memory_mb=kind.memory_mb,
                    cpu_seconds=kind.cpu_seconds,
                    peer=theirs.fileno(),
                    output=output,
                )
        except SandboxFault:
            ours.close()
            os.close(printed)
            raise
        finally:
            os.close(output)
        return SolutionJail(jail, ours.detach(), printed)
