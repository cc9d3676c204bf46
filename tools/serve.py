"""Sets the database up, starts web, workers and sandbox together, and says when all answer: `make serve`.

The processes are those of the Procfile, run by honcho. When one ends, the others are stopped: a site without its
sandbox or worker would only look alive. Ctrl-C, a closed terminal and SIGTERM stop all of them.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connections
from honcho import manager as honcho_manager
from honcho.environ import parse_procfile
from honcho.printer import Message, Printer

from sandbox.client import Client, SandboxUnavailable

ROOT = Path(__file__).resolve().parent.parent
WORKER_READY = b" ready."
"""Celery's words, at the end of the line that says it takes tasks."""

STOP_SECONDS = 10
"""How long a process may take to end what it is at; then it is killed."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.serve", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: %(default)s)")
    arguments = parser.parse_args()
    refuse_busy_port(arguments.host, arguments.port)
    set_up_django()
    refuse_strangers(arguments.host)
    prepare_database()
    sys.exit(run_processes(arguments.host, arguments.port))


def refuse_busy_port(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            sys.exit(f"Port {port} of {host} can't be used ({error}).\nChoose another one: make serve PORT=8001")


def refuse_strangers(host: str) -> None:
    """A sandbox with an open protection serves this machine alone."""
    if settings.ACCEPT_UNPROTECTED and host not in ("127.0.0.1", "localhost", "::1"):
        sys.exit(f"PAPERJUDGE_ACCEPT_UNPROTECTED is for 127.0.0.1 alone; unset it to listen on {host}.")


def set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "judge.settings")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"Paperjudge can't start: {error}")


def prepare_database() -> None:
    call_command("migrate", verbosity=0)
    call_command("load_problems", lenient=True)
    call_command("first_administrator")
    connections.close_all()


def run_processes(host: str, port: int) -> int:
    """Runs the Procfile until it is told to stop or a process ends. Returns the exit code."""
    watch = Watch(f"http://{host}:{port}/")
    honcho_manager.KILL_WAIT = STOP_SECONDS
    manager = honcho_manager.Manager(watch)
    environment = {
        **os.environ,
        "HOST": host,
        "PORT": str(port),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "PAPERJUDGE_SANDBOX_SOCKET": str(settings.SANDBOX_SOCKET),
        "PYTHONUNBUFFERED": "1",
    }
    for name, command in parse_procfile((ROOT / "Procfile").read_text()).processes.items():
        manager.add_process(name, command, env=environment, cwd=str(ROOT))
    # honcho handles SIGINT and SIGTERM. A closed terminal does not reach the processes: each has a session of its own.
    signal.signal(signal.SIGHUP, lambda number, frame: os.kill(os.getpid(), signal.SIGTERM))
    manager.loop()
    stopped_by_signal = manager.returncode in (130, 143)
    print("Stopped." if stopped_by_signal else "Stopped, because a process ended: its last lines above say why.")
    return 0 if stopped_by_signal else 1


class Watch(Printer):  # type: ignore[misc]
    """Prints what the processes print, and knows when all of them are ready."""

    def __init__(self, address: str) -> None:
        super().__init__(sys.stdout)
        self.address = address
        self._starting = {"worker", "verifier"}

    def write(self, message: Message) -> None:
        super().write(message)
        if message.name not in self._starting or WORKER_READY not in _bytes(message.data):
            return
        self._starting.remove(message.name)
        if not self._starting:
            # Only now a thread: every process has been forked.
            threading.Thread(target=self._announce, daemon=True).start()

    def _announce(self) -> None:
        """Waits for the others to answer, then prints the address."""
        while not (_web_answers(self.address) and _sandbox_answers()):
            time.sleep(0.1)
        print(f"\nPaperjudge is ready: {self.address}\nStop it with Ctrl-C.\n", flush=True)


def _bytes(data: Any) -> bytes:
    return data if isinstance(data, bytes) else str(data).encode()


def _web_answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}healthz", timeout=2) as response:
            return bool(response.status == 200)
    except urllib.error.HTTPError:
        return True  # an address such as 0.0.0.0 is no name of the site; that it says so is an answer
    except OSError:
        return False


def _sandbox_answers() -> bool:
    try:
        Client(settings.SANDBOX_SOCKET).ping()
    except SandboxUnavailable:
        return False
    return True


if __name__ == "__main__":
    main()
