"""The root conftest of the hostile corpus inside the sandbox's container: the server that is there already."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.client import Client


@pytest.fixture(scope="session")
def sandbox_client() -> Client:
    return Client(Path("/run/paperjudge/sandbox.sock"))
