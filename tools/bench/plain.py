"""The same checks without any jail: `solution` calls the submission in this very process.

It is what our job is compared with. As a pytest plug-in (`-p tools.bench.plain`, the submission named by the variable
BENCH_SUBMISSION and its package by BENCH_PACKAGE) it makes the cold run that other graders do for each submission;
`Warm` is the bare work, with everything imported and collected.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from judge.catalog.package import read_folder
from sandbox.calls import Call
from sandbox.collect import Collection
from sandbox.protocol import Package
from sandbox.proxy import Reply, Solution
from sandbox.solution import Inmate


class InProcess:
    """A way to call a submission that is loaded here."""

    def __init__(self, package: Package, submission: str) -> None:
        self.functions = dict(package.functions)
        setup = {"functions": list(package.functions), "threads": 1, "supplied": dict(package.supplied)}
        self._inmate = Inmate(setup)
        self._inmate.load(submission)

    def call(self, name: str | None, args: tuple[Any, ...], kwargs: dict[str, Any], **options: Any) -> Reply:
        call = Call.make(name, args, kwargs, **options)
        return call.read(*self._inmate.answer(call.request, call.block))


class Warm:
    """All checks of a package, run again and again in this process."""

    def __init__(self, package: Package) -> None:
        torch.set_num_threads(1)
        self._package = package
        self._collection = Collection(package.checks)

    def run(self, submission: str) -> None:
        """Loads the submission and runs every check. Raises what a check raises."""
        caller = InProcess(self._package, submission)
        checks = self._collection.checks
        for check, following in zip(checks, (*checks[1:], None), strict=True):
            if (raised := self._collection.run(check, following, caller, 0)) is not None:
                raise raised


@pytest.fixture(scope="session")
def solution() -> Solution:
    package = read_folder(Path(os.environ["BENCH_PACKAGE"])).for_judging()
    return Solution(InProcess(package, Path(os.environ["BENCH_SUBMISSION"]).read_text()))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> torch.Generator:
    digest = hashlib.sha256(f"0:{request.node.name.removeprefix('test_')}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:6], "big"))
