"""What the tests of all packages share: a judge that remembers, and the files of a package by what they are for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from judge.catalog.package import ProblemPackage, read_folder
from sandbox.client import Client
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Job, Outcome, Started, Status

PROBLEMS = Path(__file__).parent.parent
SLUGS = sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))
_MISTAKE = re.compile(r"^# /// mistake\n((?:#.*\n)+?)# ///\n")


def correct_files(slug: str) -> list[str]:
    """The solutions that must pass."""
    return ["reference.py", *_python_files(slug, "correct")]


def wrong_files(slug: str) -> list[str]:
    """The known mistakes."""
    return _python_files(slug, "wrong")


def _python_files(slug: str, folder: str) -> list[str]:
    return [f"{folder}/{path.name}" for path in sorted((PROBLEMS / slug / folder).glob("*.py"))]


class Judge:
    """Judges each text once, however many tests ask."""

    def __init__(self, client: Client, slug: str) -> None:
        self.package: ProblemPackage = read_folder(PROBLEMS / slug)
        self._client = client
        self._known: dict[tuple[str, int], tuple[tuple[CheckInfo, ...], dict[str, CheckResult], Outcome]] = {}

    def file(self, name: str, seed: int = 0) -> tuple[dict[str, CheckResult], Outcome]:
        """What became of a file of the package: results by check, and the outcome."""
        return self.text(self.package.files[name], seed)

    def text(self, source: str, seed: int = 0) -> tuple[dict[str, CheckResult], Outcome]:
        """What became of a submission."""
        return self._judged(source, seed)[1:]

    @property
    def checks(self) -> tuple[CheckInfo, ...]:
        return self._judged(self.package.files["reference.py"], 0)[0]

    def mistake(self, name: str) -> dict[str, Any]:
        """The block at the head of a known mistake."""
        found = _MISTAKE.match(self.package.files[name])
        assert found, f"{name} does not begin with a mistake block"
        return tomllib.loads(re.sub(r"^# ?", "", found[1], flags=re.MULTILINE))

    def _judged(self, source: str, seed: int) -> tuple[tuple[CheckInfo, ...], dict[str, CheckResult], Outcome]:
        if (source, seed) not in self._known:
            job = Job("test", source, self.package.for_judging(), self.package.limits, seed=seed)
            checks: tuple[CheckInfo, ...] = ()
            results = {}
            for event in self._client.judge(job):
                if isinstance(event, Started):
                    checks = event.checks
                elif isinstance(event, CheckFinished):
                    results[event.result.id] = event.result
                elif isinstance(event, Outcome):
                    self._known[source, seed] = checks, results, event
        return self._known[source, seed]


def failed(results: dict[str, CheckResult]) -> set[str]:
    return {name for name, result in results.items() if result.status is not Status.PASSED}
