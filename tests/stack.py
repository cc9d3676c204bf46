"""The whole site on a free port with a folder of its own, started and stopped as a person does it."""

from __future__ import annotations

import dataclasses
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 90
STOP_SECONDS = 20


@dataclasses.dataclass(frozen=True)
class Site:
    url: str
    var: Path
    """Where the site writes."""
    printed: list[str]
    """The lines that it has printed, also those to come."""
    pid: int

    @property
    def administrator_password(self) -> str:
        return (self.var / "administrator-password").read_text().strip()


@contextmanager
def running_site(var: Path, **environment: str) -> Iterator[Site]:
    """A site that answers. Leaving the context sends what Ctrl-C sends, and fails if a process is left."""
    port = free_port()
    variables = {**os.environ, "PAPERJUDGE_VAR": str(var), **environment}
    command = [sys.executable, "-m", "tools.serve", "--port", str(port)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        printed: list[str] = []
        ready = threading.Event()
        reader = threading.Thread(target=_read, args=(process, printed, ready))
        reader.start()
        started: set[int] = set()
        try:
            _wait_until_ready(process, ready, printed)
            started = descendants(process.pid)
            yield Site(f"http://127.0.0.1:{port}/", var, printed, process.pid)
            started |= descendants(process.pid)
        finally:
            # A terminal sends it to the whole group in front.
            os.killpg(process.pid, signal.SIGINT)
            try:
                code = process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                for pid in descendants(process.pid):
                    os.kill(pid, signal.SIGKILL)
                process.kill()
                raise
            finally:
                reader.join(5)
    left = [pid for pid in started if is_running(pid)]
    if code != 0 or left:
        raise AssertionError(f"Ctrl-C: exit code {code}, still running: {left}\n" + "".join(printed[-40:]))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def descendants(pid: int) -> set[int]:
    """The processes that `pid` started, directly or not."""
    children: dict[int, set[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        children.setdefault(int(fields[1]), set()).add(int(status.parent.name))
    found: set[int] = set()
    waiting = {pid}
    while waiting:
        new = children.get(waiting.pop(), set()) - found
        found |= new
        waiting |= new
    return found


def is_running(pid: int) -> bool:
    """Whether the process still runs; one that only waits for its parent to notice its end does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _read(process: subprocess.Popen[str], printed: list[str], ready: threading.Event) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        printed.append(line)
        if re.match(r"Paperjudge is ready: ", line):
            ready.set()


def _wait_until_ready(process: subprocess.Popen[str], ready: threading.Event, printed: list[str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready.wait(0.05):
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError("The site did not start:\n" + "".join(printed))
