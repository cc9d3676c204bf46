"""What the tests of all packages share: which there are, and a judge that remembers."""

from __future__ import annotations

from pathlib import Path

from judge.catalog.package import ProblemPackage, read_folder
from sandbox.client import Client
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Job, Outcome, Started, Status

PROBLEMS = Path(__file__).parent.parent
SLUGS = sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))


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
