"""Speaking to a sandbox server: what a worker and the command line use."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sandbox.protocol import Event, Job, Outcome, ProtocolError, event_from_wire, to_wire
from sandbox.wire import MAX_EVENT_JSON, FrameError, MessageReader, send_message

START_SECONDS = 150.0


class SandboxUnavailable(Exception):
    """The server cannot be reached, went away in the middle of a job, or is silent. The message says what to do."""


class SandboxLost(SandboxUnavailable):
    """It had taken the job when it went away, so the job may be the reason."""


class Client:
    """A server at a socket. Each call uses a connection of its own, so that one client may serve many threads."""

    def __init__(self, socket_path: Path, timeout: float = 60.0) -> None:
        """`timeout` is the longest silence between two events of a job, in seconds."""
        self.path = socket_path
        self._timeout = timeout

    def judge(self, job: Job) -> Iterator[Event]:
        """The events of a job as they come; the last is an `Outcome`. Raises `SandboxUnavailable`.

        Closing the iterator cancels the job.
        """
        with self._connect() as connection:
            reader = MessageReader(connection, MAX_EVENT_JSON)
            with self._faults():
                send_message(connection, {"judge": to_wire(job)})
            while True:
                with self._faults():
                    event = event_from_wire(reader.receive())
                yield event
                if isinstance(event, Outcome):
                    return

    def ping(self) -> dict[str, Any]:
        """What the server says of itself: whether it is ready, its layers, running and waiting jobs."""
        with self._connect() as connection, self._faults():
            send_message(connection, {"ping": True})
            answer = MessageReader(connection, MAX_EVENT_JSON).receive()
            if not isinstance(answer, dict):
                raise ProtocolError("the answer is no object")
            return answer

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise SandboxLost(f"the sandbox was silent for {self._timeout:g} s") from None
        except (OSError, FrameError, ProtocolError) as error:
            raise SandboxLost(f"the sandbox went away in the middle of a job ({error})") from None

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(self._timeout)
        try:
            connection.connect(str(self.path))
        except OSError as error:
            connection.close()
            raise SandboxUnavailable(
                f"no sandbox answers at {self.path} ({error.strerror or error}); start one with "
                f"`python -m sandbox serve --socket {self.path}`"
            ) from None
        return connection


@contextlib.contextmanager
def running_server(socket_path: Path | None = None, *arguments: str) -> Iterator[Client]:
    """A client of the server at `socket_path` if one answers there, else of one that is started for the duration.

    `arguments` are passed on to `python -m sandbox serve`. Raises `SandboxUnavailable` with what the server said.
    """
    if socket_path is not None and not arguments:
        client = Client(socket_path)
        try:
            client.ping()
        except SandboxUnavailable:
            pass  # none answers there: start one
        else:
            yield client
            return
    with tempfile.TemporaryDirectory(prefix="sandbox-") as folder, open(Path(folder) / "log", "w+b") as log:
        path = Path(folder) / "socket"
        command = [sys.executable, "-m", "sandbox", "serve", "--socket", str(path), "--while-input-is-open", *arguments]
        root = Path(__file__).resolve().parent.parent
        environment = os.environ | {"PYTHONPATH": str(root)}
        # However this process ends, the pipe is closed then, and the server ends with it.
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment)
        try:
            client = Client(path)
            _await(client, process, Path(folder) / "log")
            yield client
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            finally:
                assert process.stdin is not None
                process.stdin.close()


def _await(client: Client, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            client.ping()
            return
        except SandboxUnavailable:
            said = log.read_text(errors="replace").strip()
            if process.poll() is not None:
                raise SandboxUnavailable(f"the sandbox did not start:\n{said}") from None
            if time.monotonic() > end:
                raise SandboxUnavailable(f"the sandbox did not start in {START_SECONDS:g} s:\n{said}") from None
        time.sleep(0.02)
