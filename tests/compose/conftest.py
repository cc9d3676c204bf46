"""One site for all tests of the compose file: built, started and removed with its volumes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.compose.stack import Stack, answers
from tests.stack import ROOT, free_port


@pytest.fixture(scope="session")
def port() -> int:
    return free_port()


@pytest.fixture(scope="session")
def url(port: int) -> str:
    return f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="session")
def stack(port: int, url: str) -> Iterator[Stack]:
    stack = Stack(ROOT / "tests" / "compose" / "inside.yml", PAPERJUDGE_LISTEN=f"127.0.0.1:{port}")
    stack.run("down", "--volumes", "--remove-orphans")
    try:
        stack.run("up", "--detach", "--build")
        stack.wait_until_healthy("sandbox", "web")
        answers(url + "healthz")
        yield stack
    finally:
        stack.run("--profile", "tls", "down", "--volumes", "--remove-orphans", check=False)


@pytest.fixture(scope="session")
def reference() -> str:
    return (ROOT / "problems" / "moco" / "reference.py").read_text()
