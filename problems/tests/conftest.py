"""One judge for each package and the whole run, so that no file is judged twice for the same question."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from problems.tests.support import Judge
from sandbox.client import Client


@pytest.fixture(scope="session")
def judges(sandbox_client: Client) -> Callable[[str], Judge]:
    """The judge of a package, by its name."""
    return functools.cache(functools.partial(Judge, sandbox_client))
