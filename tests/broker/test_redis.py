"""Redis as the broker: the same worker, by one setting. The broker is only a doorbell: without it nothing is lost."""

from __future__ import annotations

import http.cookiejar
import json
import subprocess
import time
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import redis

from tests.programs import path_of
from tests.stack import ROOT, Site, free_port, running_site
from tools.programs import REDIS

PASSWORD = "correct horse battery 7"
JUDGED_SECONDS = 60


class RedisServer:
    """A real Redis that can be stopped and started again; it keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.command = [
            path_of(REDIS),
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(folder),
        ]
        self.client = redis.Redis(port=self.port)

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.client.ping()
                return
            except redis.ConnectionError:
                time.sleep(0.05)
        raise AssertionError("Redis did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def calls(self, command: str) -> int:
        """How often this command was used since the start."""
        statistics: dict[str, Any] = self.client.info("commandstats")
        return int(statistics.get(f"cmdstat_{command}", {"calls": 0})["calls"])


class Learner:
    """An account of its own, used without a browser."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.get("accounts/sign-up/")
        name = f"learner-{uuid.uuid4().hex[:8]}"
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "csrfmiddlewaretoken": self.token}
        self.opener.open(url + "accounts/sign-up/", urlencode(form).encode()).close()

    @property
    def token(self) -> str:
        return next(cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken")

    def get(self, path: str) -> bytes:
        with self.opener.open(self.url + path.lstrip("/")) as answer:
            content: bytes = answer.read()
            return content

    def hand_in(self, source: str) -> str:
        """Hands in and returns the address of the report's state."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.token}
        body = json.dumps({"source": source}).encode()
        request = urllib.request.Request(self.url + "problems/moco/submissions/", body, headers)
        with self.opener.open(request) as answer:
            assert answer.status == 201
            address: str = json.load(answer)["state_url"]
            return address

    def verdict(self, state_url: str) -> str:
        deadline = time.monotonic() + JUDGED_SECONDS
        while time.monotonic() < deadline:
            state = json.loads(self.get(state_url))
            if state["state"] == "finished":
                return str(state["verdict"])
            time.sleep(0.2)
        raise AssertionError(f"not judged after {JUDGED_SECONDS} s: {state}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()
    server.client.close()


@pytest.fixture(scope="module")
def site(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    broker = f"redis://127.0.0.1:{server.port}/0"
    with running_site(tmp_path_factory.mktemp("var"), PAPERJUDGE_BROKER=broker) as site:
        yield site


@pytest.fixture(scope="module")
def reference() -> str:
    return (ROOT / "problems" / "moco" / "reference.py").read_text()


def test_a_submission_goes_through_redis(site: Site, server: RedisServer, reference: str) -> None:
    learner = Learner(site.url)
    rung_before = server.calls("lpush")
    assert learner.verdict(learner.hand_in(reference)) == "accepted"
    assert server.calls("lpush") > rung_before


def test_what_is_handed_in_while_redis_is_away_is_judged_later(site: Site, server: RedisServer, reference: str) -> None:
    learner = Learner(site.url)
    server.stop()
    state_url = learner.hand_in(reference)
    assert json.loads(learner.get(state_url))["state"] == "queued"
    server.start()
    assert learner.verdict(state_url) == "accepted"
