"""Fixtures for every test: one real sandbox server for the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Client, running_server


@pytest.fixture(scope="session")
def sandbox_client() -> Iterator[Client]:
    """A client of a server that was started for these tests."""
    with running_server() as client:
        yield client


@pytest.fixture(scope="session")
def sandbox_socket(sandbox_client: Client) -> Path:
    """Where that server listens."""
    return sandbox_client.path
