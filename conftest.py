"""For every test: one real sandbox server for the whole run, and the halves that may run side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Client, running_server


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the running site mostly wait for it, and the others compute: `make test` runs both halves at once.

    Each stays whole and in its order: one site, and one sandbox that is attacked by one test at a time.
    """
    for item in items:
        half = "site" if item.path.is_relative_to(item.config.rootpath / "tests") else "parts"
        item.add_marker(pytest.mark.xdist_group(half))


@pytest.fixture(scope="session")
def sandbox_client() -> Iterator[Client]:
    """A client of a server that was started for these tests."""
    with running_server() as client:
        yield client


@pytest.fixture(scope="session")
def sandbox_socket(sandbox_client: Client) -> Path:
    """Where that server listens."""
    return sandbox_client.path
