"""The compose file as an operator uses it: `up`, `exec`, `logs`, `down`, with a project name and a port of its own."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.stack import ROOT

PROJECT = "paperjudge-test"
HEALTHY_SECONDS = 120


@functools.cache
def compose_command() -> tuple[str, ...]:
    """`docker compose` where it is there, else `docker-compose`."""
    plugin = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return ("docker", "compose") if plugin.returncode == 0 else ("docker-compose",)


class Stack:
    """The services of one compose project. `files` are compose files beside `base`; `variables` go before `.env`."""

    def __init__(
        self, *files: Path, base: Path = ROOT / "docker-compose.yml", project: str = PROJECT, **variables: str
    ) -> None:
        self._files = (base, *files)
        self.project = project
        self.environment = {**os.environ, **variables}

    def run(self, *arguments: str, check: bool = True, text: str | None = None) -> str:
        """One compose command in this project; its standard output."""
        files = [word for file in self._files for word in ("--file", str(file))]
        command = [*compose_command(), *files, "--project-name", self.project, *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, input=text, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, f"{' '.join(arguments)}: {done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout

    def execute(self, service: str, *command: str, check: bool = True, text: str | None = None) -> str:
        """Runs a command in the container of a service, with `text` on its standard input."""
        return self.run("exec", "-T", service, *command, check=check, text=text)

    def containers(self, service: str) -> list[str]:
        return self.run("ps", "--quiet", service).split()

    def inspect(self, service: str) -> dict[str, Any]:
        """What the engine says of the first container of a service."""
        found: list[dict[str, Any]] = json.loads(docker("inspect", self.containers(service)[0]))
        return found[0]

    def wait_until_healthy(self, *services: str) -> None:
        end = time.monotonic() + HEALTHY_SECONDS
        for service in services:
            while self.inspect(service)["State"]["Health"]["Status"] != "healthy":
                assert time.monotonic() < end, self.run("logs", "--no-color", service)
                time.sleep(0.5)


def docker(*arguments: str, check: bool = True) -> str:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"docker {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def answers(url: str, seconds: float = 60) -> None:
    """Waits until something answers at `url`."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=3).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nothing answers at {url}"
            time.sleep(0.3)
