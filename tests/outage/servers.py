"""Processes that a test kills and starts again: PostgreSQL, Redis, and those of the site."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.programs import path_of
from tests.stack import free_port
from tools.programs import POSTGRESQL, REDIS

READY_SECONDS = 90


class Server:
    """One process. What it writes goes to `log`, over all its starts."""

    def __init__(
        self,
        name: str,
        command: list[str],
        log: Path,
        is_ready: Callable[[], bool],
        environment: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> None:
        self.name = name
        self.log = log
        self._command = command
        self._environment = dict(environment) if environment is not None else None
        self._is_ready = is_ready
        self._user = user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                user=self._user,
                cwd=None if self._user is None else "/",
                start_new_session=True,
            )
        end = time.monotonic() + READY_SECONDS
        while not self._is_ready():
            assert self._process.poll() is None, f"{self.name} ended:\n{self.said()[-3000:]}"
            assert time.monotonic() < end, f"{self.name} is not ready:\n{self.said()[-3000:]}"
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL to the one process; what it started has to notice by itself."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def signal_to_stop(self) -> None:
        """SIGTERM, without waiting for the end."""
        assert self._process is not None
        self._process.terminate()

    def stop(self, number: int = signal.SIGTERM) -> None:
        """As an operator stops it."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def said(self) -> str:
        """Nothing, if it was never started."""
        if not self.log.exists():
            return ""
        return self.log.read_text(errors="replace")


def answers_at(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def redis_server(folder: Path) -> tuple[Server, str]:
    """A Redis that keeps nothing, and its address."""
    port = free_port()
    command = [path_of(REDIS), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]

    def is_ready() -> bool:
        try:
            with redis.Redis(port=port) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    return Server("redis", command, folder / "redis.log", is_ready), f"redis://127.0.0.1:{port}/0"


@contextmanager
def postgresql_server(folder: Path) -> Iterator[tuple[Server, str]]:
    """A PostgreSQL with an empty database, not started yet, and its address. It does not run as root."""
    program = Path(path_of(POSTGRESQL)).resolve()
    port, user = free_port(), "nobody" if os.geteuid() == 0 else None
    # Folders of tests are for the user who runs the tests alone.
    with tempfile.TemporaryDirectory(prefix="paperjudge-postgresql-") as data:
        if user is not None:
            shutil.chown(data, user)
        initdb = [str(program.with_name("initdb")), "--pgdata", data, "--username", "paperjudge", "--auth", "trust"]
        words = ["--encoding", "UTF8", "--locale", "C", "--no-sync"]
        subprocess.run([*initdb, *words], check=True, capture_output=True, user=user, cwd="/")
        command = [str(program), "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
        command += ["-c", f"unix_socket_directories={data}"]
        server = Server("postgresql", command, folder / "postgresql.log", lambda: answers_at(port), user=user)
        try:
            yield server, f"postgresql://paperjudge@127.0.0.1:{port}/postgres"
        finally:
            server.stop(signal.SIGINT)
