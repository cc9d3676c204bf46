"""What a verification found, as frozen values: for the command line, and as JSON for whoever shows it."""

import dataclasses
from typing import Any

from judge.catalog.table import Complaint, Severity
from sandbox.protocol import CheckInfo


@dataclasses.dataclass(frozen=True)
class FileResult:
    """A file that was judged: a correct solution (all its runs together), the starter, the empty file."""

    file: str
    verdict: str
    """Of the first run that was not accepted, else `accepted`."""
    runs: int
    failed: tuple[str, ...]
    message: str
    """What a learner would read first."""
    ms: float
    """Wall time of the fastest run."""


@dataclasses.dataclass(frozen=True)
class MistakeResult:
    """One file of `wrong/`: a row of the matrix of checks and mistakes."""

    file: str
    title: str
    verdict: str
    names: tuple[str, ...]
    """Checks that must notice it."""
    failed: tuple[str, ...]
    """Checks that did."""
    missed: tuple[str, ...]
    """Named, but passed."""
    beyond: tuple[str, ...]
    """Failed without being named."""
    elsewhere: tuple[str, ...]
    """Those of `beyond` in sections of which it names no check."""


@dataclasses.dataclass(frozen=True)
class CheckCoverage:
    """Who fails a check: a column of the matrix."""

    id: str
    title: str
    section: str
    required: bool
    mistakes: tuple[str, ...]
    """Files of `wrong/` that fail it."""


@dataclasses.dataclass(frozen=True)
class ProbeResult:
    """A function that returned something odd, and what the checks made of it."""

    function: str
    probe: str
    verdict: str
    failed: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Margin:
    """A tolerance between the largest error of a correct solution and the smallest distance of a wrong one.

    All three are absolute; the ratios are in units of what is allowed there.
    """

    check: str
    what: str
    where: str
    dtype: str
    allowed: float
    error: float
    error_ratio: float
    error_file: str
    distance: float | None
    """None if no mistake is noticed by a comparison of this check."""
    distance_ratio: float | None
    distance_file: str


@dataclasses.dataclass(frozen=True)
class Budget:
    """How much of a limit the correct solutions need."""

    limit: str
    """The field of `[limits]`."""
    allowed: float
    used: float
    """The most that a run needed; for memory, the least of the tried amounts that was enough."""
    unit: str
    where: str


@dataclasses.dataclass(frozen=True)
class MutantResult:
    """A mutant that no required check fails."""

    function: str
    what: str
    number: int
    line: str
    becomes: str
    diff: str
    entry: str
    """What to add to mutants.toml if it is no mistake."""
    reason: str
    """Why it is none, as mutants.toml says; empty for one that survived."""


@dataclasses.dataclass(frozen=True)
class MutationScore:
    total: int
    killed: int
    survivors: tuple[MutantResult, ...]
    equivalent: tuple[MutantResult, ...]

    @property
    def percent(self) -> float:
        """Killed of those that are not equivalent; 100 when there is none."""
        counted = self.total - len(self.equivalent)
        return 100.0 * self.killed / counted if counted else 100.0


@dataclasses.dataclass(frozen=True)
class Verification:
    """Everything that was found of one version of a package."""

    slug: str
    version: str
    complaints: tuple[Complaint, ...]
    checks: tuple[CheckInfo, ...] = ()
    coverage: tuple[CheckCoverage, ...] = ()
    solutions: tuple[FileResult, ...] = ()
    refused: tuple[FileResult, ...] = ()
    """The starter and the empty file."""
    mistakes: tuple[MistakeResult, ...] = ()
    probes: tuple[ProbeResult, ...] = ()
    margins: tuple[Margin, ...] = ()
    budgets: tuple[Budget, ...] = ()
    mutation: MutationScore | None = None
    """None where it was not measured, because the reference itself does not pass."""
    jobs: int = 0
    seconds: float = 0.0

    @property
    def errors(self) -> tuple[Complaint, ...]:
        return tuple(complaint for complaint in self.complaints if complaint.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        return tuple(complaint for complaint in self.complaints if complaint.severity is Severity.WARNING)

    @property
    def is_verified(self) -> bool:
        """Whether the package has proven itself and may be published."""
        return not self.errors

    def as_dict(self) -> dict[str, Any]:
        """All of it as plain values for JSON."""
        values = dataclasses.asdict(self)
        values["verified"] = self.is_verified
        if self.mutation is not None:
            values["mutation"]["percent"] = round(self.mutation.percent, 2)
        return values
