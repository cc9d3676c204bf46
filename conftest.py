"""For every test: one real sandbox server for the whole run, and the parts that may run side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from sandbox.client import Client, running_server


class _Parts(LoadScopeScheduling):  # type: ignore[misc]
    """`make test` runs two of these at a time, each whole and in its order, the longest first.

    There is one site, whose tests mostly wait for it, and one sandbox that is attacked by one test at a time.
    """

    def _split_scope(self, nodeid: str) -> str:
        part = nodeid.partition("/")[0]
        return nodeid.partition("::")[0] if part == "problems" else part


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """How tests are shared out where several processes run them."""
    return _Parts(config, log)


@pytest.fixture(scope="session")
def sandbox_client() -> Iterator[Client]:
    """A client of a server that was started for these tests."""
    with running_server() as client:
        yield client


@pytest.fixture(scope="session")
def sandbox_socket(sandbox_client: Client) -> Path:
    """Where that server listens."""
    return sandbox_client.path
