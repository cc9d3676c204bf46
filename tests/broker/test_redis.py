"""Redis as the broker: the same worker, by one setting. The broker is only a doorbell: without it nothing is lost."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.learner import Learner
from tests.programs import path_of
from tests.stack import ROOT, Site, free_port, running_site
from tools.programs import REDIS


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
