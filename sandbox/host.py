"""The server's side of the runtime template and of jails: starting, forking, watching and ending them."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import math
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from pathlib import Path

from sandbox.jail import Ending, read_ending
from sandbox.layers import Layers
from sandbox.policy import Profile

log = logging.getLogger("sandbox")

START_SECONDS = 120.0
"""How long a template may take to import everything."""
ANSWER_SECONDS = 20.0
"""How long a template may take to fork."""
LIVES_ON_SECONDS = 1.0
"""How long an inmate that closed its channel may live on before it is taken for one that will not end."""
REFERENCE_WORK_MS = 6.0
"""What the template's fixed piece of work takes on a machine that limits are written for (a common laptop core)."""
MAX_SLOWNESS = 10.0
_PROCESS_CPU_CLOCK = 2
"""What makes the complement of a pid, shifted by three, the clock of that process (see clock_getcpuclockid(3))."""


class SandboxFault(Exception):
    """Ours, not the submission's: the job ends as `judge_error`, and the message is for an operator."""


@dataclasses.dataclass(frozen=True)
class Usage:
    """What an inmate has used: CPU over all its threads, and how long it could have run and no core was free."""

    cpu_seconds: float
    delay_seconds: float


class Jail:
    """A jail as the server holds it: by a descriptor that stands for its keeper, not by a number that may be reused."""

    def __init__(self, pidfd: int, ending: int) -> None:
        self._pidfd = pidfd
        self._ending = ending
        self._inmate: int | None = None

    def usage(self) -> Usage:
        """What the inmate has used so far; infinite CPU time once it has ended."""
        try:
            cpu = time.clock_gettime(~self._find_inmate() << 3 | _PROCESS_CPU_CLOCK)
        except (OSError, IndexError, ValueError):
            unborn = self._inmate is None and not self.wait(0)
            return Usage(0.0 if unborn else math.inf, 0.0)
        try:
            delay = int(Path(f"/proc/{self._inmate}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            delay = 0.0  # this kernel does not count it
        return Usage(cpu, delay)

    def threads(self) -> int:
        """How many threads the inmate has; 0 where there is none."""
        try:
            fields = Path(f"/proc/{self._find_inmate()}/stat").read_text().rpartition(")")[2].split()
            return int(fields[17])
        except (OSError, IndexError, ValueError):
            return 0

    def stay_on(self, cores: Collection[int]) -> None:
        """Lets the inmate, and each thread that it starts from now on, run on these cores alone, if that can be had."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            for thread in os.listdir(f"/proc/{self._find_inmate()}/task"):
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(int(thread), cores)

    def _find_inmate(self) -> int:
        if self._inmate is None:
            facts = Path(f"/proc/self/fdinfo/{self._pidfd}").read_text()
            keeper = int(facts.split("Pid:")[1].split()[0])
            self._inmate = int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()[0])
        return self._inmate

    def wait_for_death(self) -> None:
        """Waits for a jail that closed its channel: to its end if the inmate is dying, for a moment if it lives on."""
        end = time.monotonic() + LIVES_ON_SECONDS
        while not self.wait(0.02):
            try:
                state = Path(f"/proc/{self._inmate}/stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                state = "X"
            if state in "ZX":
                self.wait(ANSWER_SECONDS)
                return
            if time.monotonic() > end:
                return

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, after waiting for at most so long."""
        poller = select.poll()
        poller.register(self._pidfd, select.POLLIN)
        return bool(poller.poll(seconds * 1000))

    def close(self) -> Ending | None:
        """Kills what is left, and says how the inmate ended, if it ended by itself. Raises `JailBroken`."""
        self.kill()
        ended = self.wait(ANSWER_SECONDS)
        os.close(self._pidfd)
        if not ended:
            os.close(self._ending)
            raise SandboxFault("a jail did not end when it was killed")
        return read_ending(self._ending)


class Template:
    """The runtime template, started when it is first needed and again when it has died."""

    def __init__(self, layers: Layers) -> None:
        self._layers = layers
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self.slowness = 1.0
        """How much longer a fixed piece of work takes here than on the machine that limits are written for, from 1."""
        self.starts = 0
        """How often it was started: more than once means that it died."""

    def start(self) -> None:
        """Starts it and waits until it is ready. Raises `SandboxFault`."""
        with self._lock:
            self._ensure()

    def fork(self, profile: Profile, *, memory_mb: int, cpu_seconds: int, peer: int, output: int) -> Jail:
        """A fresh jail that holds `peer` and writes what it prints to `output`. Raises `SandboxFault`."""
        sentence = {"profile": profile, "memory_mb": memory_mb, "cpu_seconds": cpu_seconds}
        request = json.dumps(sentence).encode()
        with self._lock:
            for attempt in (1, 2):
                control = self._ensure()
                try:
                    socket.send_fds(control, [request], [peer, output])
                    answer, descriptors, _, _ = socket.recv_fds(control, 100, 2)
                    if answer:
                        return Jail(*descriptors)
                    reason = "it ended"
                except OSError as error:
                    reason = str(error)
                self._stop()
                if attempt == 2:
                    raise SandboxFault(f"the runtime template did not fork: {reason}")
        raise AssertionError("unreachable")

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def resident_mb(self) -> float | None:
        """What it holds in memory, in MiB; None while it doesn't run."""
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
            return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)
        except (OSError, IndexError):
            return None

    def stop(self) -> None:
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _ensure(self) -> socket.socket:
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        self._stop()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            arguments = [sys.executable, "-m", "sandbox.template", str(theirs.fileno()), self._layers.to_json()]
            project = Path(__file__).resolve().parent.parent
            self._process = subprocess.Popen(
                arguments, pass_fds=[theirs.fileno()], env=_environment(), cwd=project, stdin=subprocess.DEVNULL
            )
        ours.settimeout(START_SECONDS)
        try:
            ready = json.loads(ours.recv(100) or b"{}")
        except OSError as error:
            ready = {"error": str(error)}
        if "work_ms" not in ready:
            ours.close()
            self._stop()
            reason = ready.get("error", "it ended")
            raise SandboxFault(f"the runtime template did not start ({reason}); see its output above")
        self.slowness = min(max(1.0, ready["work_ms"] / REFERENCE_WORK_MS), MAX_SLOWNESS)
        ours.settimeout(ANSWER_SECONDS)
        self._control = ours
        self.starts += 1
        return ours


def _environment() -> dict[str, str]:
    """What a template is started with. Huge pages for the heap halve the cost of each fork: there are fewer to copy."""
    fixed = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=2",
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "passive",  # threads of one jail that spin would take the time of others
        "GOMP_SPINCOUNT": "0",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    # Where modules are, and what a host may have to tell OpenBLAS of its processor.
    passed = ("PYTHONPATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
    told = {name: value for name, value in os.environ.items() if name in passed}
    return fixed | told
