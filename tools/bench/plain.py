"""The same checks without any jail: `solution` calls the submission in this very process.

It is what our job is compared with. As a pytest plug-in (`-p tools.bench.plain`, the submission named by the variable
BENCH_SUBMISSION and its package by BENCH_PACKAGE) it makes the cold run that other graders do for each submission;
`Warm` is the bare work, with everything imported and collected.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
import torch

from judge.catalog.package import read_folder
from sandbox.collect import Collection
from sandbox.protocol import Package
from sandbox.proxy import Solution
from sandbox.rehearsal import InProcess


def _loaded(package: Package, submission: str) -> InProcess:
    return InProcess(package.functions, package.supplied, submission)


class Warm:
    """All checks of a package, run again and again in this process."""

    def __init__(self, package: Package) -> None:
        torch.set_num_threads(1)
        self._package = package
        self._collection = Collection(package.checks)

    def run(self, submission: str) -> None:
        """Loads the submission and runs every check. Raises what a check raises."""
        caller = _loaded(self._package, submission)
        for check in self._collection.checks:
            if (raised := self._collection.run(check, caller, 0)) is not None:
                raise raised


@pytest.fixture(scope="session")
def solution() -> Solution:
    package = read_folder(Path(os.environ["BENCH_PACKAGE"])).for_judging()
    return Solution(_loaded(package, Path(os.environ["BENCH_SUBMISSION"]).read_text()))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> torch.Generator:
    digest = hashlib.sha256(f"0:{request.node.name.removeprefix('test_')}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:6], "big"))
