"""A site of several processes, as a department runs it: web, two workers, each with a sandbox, PostgreSQL and Redis."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from sandbox.client import Client, SandboxUnavailable
from tests.outage.servers import Server, answers_at, postgresql_server, redis_server
from tests.stack import ROOT, free_port

PAIRS = ("a", "b")


class Department:
    def __init__(self, folder: Path, postgresql: Server, database: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.postgresql = postgresql
        self.redis, self._broker = redis_server(folder)
        (folder / "var").mkdir()
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "judge.settings",
            "PYTHONPATH": str(ROOT),
            "PAPERJUDGE_VAR": str(folder / "var"),
            "PAPERJUDGE_PROBLEMS": str(folder / "problems"),
            "PAPERJUDGE_DATABASE": database,
            "PAPERJUDGE_BROKER": self._broker,
            "PAPERJUDGE_LOG_STYLE": "json",
            "PAPERJUDGE_SUBMISSIONS_A_MINUTE": "100000",
        }
        self.sandboxes = {pair: self._sandbox(pair) for pair in PAIRS}
        self.workers = {pair: self._worker(pair) for pair in PAIRS}
        # A test that is about it starts it.
        self.verifier = self._celery("verifier", PAIRS[0], "--concurrency", "1", "--queues", "verifying")
        web = ["uvicorn", "judge.asgi:application", "--port", str(self.port), "--no-access-log", "--no-proxy-headers"]
        self.web = self._python("web", web, lambda: answers_at(self.port), {})
        self.sessions: list[str] = []

    @property
    def servers(self) -> list[Server]:
        return [self.postgresql, self.redis, *self.sandboxes.values(), *self.workers.values(), self.verifier, self.web]

    def start(self, people: int) -> None:
        self.postgresql.start()
        self.redis.start()
        self.sessions = self.run("prepare", str(people)).split()
        for server in (*self.sandboxes.values(), *self.workers.values(), self.web):
            server.start()

    def stop(self) -> None:
        for server in reversed(self.servers):
            server.stop()

    def run(self, *words: str) -> str:
        """A command of `tests.outage.inside`."""
        command = [sys.executable, "-m", "tests.outage.inside", *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    def feed(self, count: int) -> subprocess.Popen[bytes]:
        with (self.folder / "feeder.log").open("ab") as log:
            command = [sys.executable, "-m", "tests.outage.inside", "feed", str(count)]
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=ROOT)

    def wait_until_finished(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := self.run("unfinished").strip()) != "0":
            assert time.monotonic() < end, f"{left} submissions are not finished"
            time.sleep(1)

    def verification(self, run: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run("verification", run))
        return found

    def results(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.run("result").splitlines()]

    def log_lines(self) -> list[dict[str, Any]]:
        """What web and workers have said; a line that a kill cut off is left out."""
        found = []
        for server in (self.web, *self.workers.values(), self.verifier):
            for line in server.said().splitlines():
                try:
                    found.append(json.loads(line))
                except json.JSONDecodeError:
                    continue
        return found

    def ready(self) -> dict[str, str]:
        """What the web says of all that it depends on."""
        try:
            with urllib.request.urlopen(f"{self.url}readyz", timeout=20) as answer:
                found: dict[str, str] = json.load(answer)
        except urllib.error.HTTPError as not_ready:
            found = json.load(not_ready)
        return found

    def template_pid(self, pair: str) -> int | None:
        try:
            answer = Client(self._socket(pair), timeout=5).ping()["template_pid"]
        except SandboxUnavailable:
            return None
        return answer if isinstance(answer, int) else None

    def empty_broker(self) -> None:
        with redis.Redis.from_url(self._broker) as client:
            client.flushall()

    def post(self, session: str, text: str) -> str | None:
        """Hands in over HTTP; the id of the submission, or None where nothing answered or it was refused."""
        token = secrets.token_hex(16)
        headers = {"Content-Type": "application/json", "X-CSRFToken": token}
        headers["Cookie"] = f"sessionid={session}; csrftoken={token}"
        address = f"{self.url}problems/halving/submissions/"
        request = urllib.request.Request(address, json.dumps({"source": text}).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return str(json.load(answer)["id"])
        except (OSError, ValueError):
            return None

    def _socket(self, pair: str) -> Path:
        return self.folder / f"sandbox-{pair}.sock"

    def _sandbox(self, pair: str) -> Server:
        path = self._socket(pair)

        def is_ready() -> bool:
            try:
                return bool(Client(path, timeout=5).ping()["ready"])
            except SandboxUnavailable:
                return False

        words = ["sandbox", "serve", "--socket", str(path), "--jobs", "4", "--log-style", "json"]
        return self._python(f"sandbox-{pair}", words, is_ready, {})

    def _worker(self, pair: str) -> Server:
        return self._celery(f"worker-{pair}", pair, "--concurrency", "4")

    def _celery(self, name: str, pair: str, *options: str) -> Server:
        words = ["celery", "--quiet", "-A", "judge", "worker", "--pool", "threads", *options]
        words += ["--hostname", f"{name}@test"]
        log = self.folder / f"{name}.log"
        told = 0

        def is_ready() -> bool:
            nonlocal told
            ready = log.read_text(errors="replace").count(" ready.") if log.exists() else 0
            if ready <= told:
                return False
            told = ready
            return True

        return self._python(name, words, is_ready, {"PAPERJUDGE_SANDBOX_SOCKET": str(self._socket(pair))})

    def _python(self, name: str, words: list[str], is_ready: Any, variables: dict[str, str]) -> Server:
        command = [sys.executable, "-m", *words]
        return Server(name, command, self.folder / f"{name}.log", is_ready, {**self.environment, **variables})


@contextmanager
def department(folder: Path, people: int) -> Iterator[Department]:
    with postgresql_server(folder) as (postgresql, database):
        site = Department(folder, postgresql, database)
        try:
            site.start(people)
            yield site
        finally:
            site.stop()
