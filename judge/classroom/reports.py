"""What learners make of a problem, check by check.

Everything is counted from `Standing`, a row for each learner, and from indexes: no report reads the results of checks.
Runs that failed through a fault of ours are in no rate. A check that was not reached did not pass: it is in every
denominator, so that what is hidden never looks like 100 %.
"""

import dataclasses
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from judge.catalog.models import PackageVersion, Problem
from judge.submissions.models import Standing
from judge.submissions.outcomes import FAILED, NOT_RUN, PASSED, UNWRITTEN
from judge.submissions.standings import STUCK_AFTER


@dataclasses.dataclass(frozen=True)
class Outcomes:
    """How one check ended for a number of learners."""

    passed: int = 0
    failed: int = 0
    """It gave something else than it should."""
    raised: int = 0
    stopped: int = 0
    """Out of time, memory or output, or because it did what it may not do."""
    not_reached: int = 0
    """It was not run, or its function is not written yet."""

    @classmethod
    def of(cls, letters: Mapping[str, int]) -> "Outcomes":
        known = {"passed": PASSED, "failed": "f", "raised": "e"}
        counts = {name: letters.get(letter, 0) for name, letter in known.items()}
        stopped = sum(letters.get(letter, 0) for letter in FAILED - {"f", "e"})
        return cls(**counts, stopped=stopped, not_reached=letters.get(NOT_RUN, 0) + letters.get(UNWRITTEN, 0))

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.raised + self.stopped + self.not_reached

    @property
    def not_passed(self) -> int:
        return self.total - self.passed

    @property
    def share(self) -> float:
        return self.passed / self.total if self.total else 0.0


@dataclasses.dataclass(frozen=True)
class Explanation:
    """A known mistake behind failures of a check."""

    file: str
    title: str
    runs: int


@dataclasses.dataclass(frozen=True)
class CheckRow:
    """One check in the report of a problem."""

    id: str
    title: str
    section: str
    required: bool
    first: Outcomes
    """In the first run of each learner that had this check."""
    latest: Outcomes
    stuck: Sequence[int]
    """Who is: ids of users."""
    attempts: Mapping[int, int]
    """Attempts until it first passed -> learners."""
    explanations: Sequence[Explanation]

    @property
    def median_attempts(self) -> float | None:
        return statistics.median(Counter(self.attempts).elements()) if self.attempts else None


@dataclasses.dataclass(frozen=True)
class ProblemReport:
    problem: Problem
    version: PackageVersion
    learners: int
    solved: int
    stuck: int
    """Learners who are stuck on some check."""
    attempts: int
    attempts_to_solve: Mapping[int, int]
    """Attempts -> learners who needed so many."""
    rows: Sequence[CheckRow]

    @property
    def median_attempts(self) -> float | None:
        return statistics.median(Counter(self.attempts_to_solve).elements()) if self.attempts_to_solve else None

    @property
    def sections(self) -> list[tuple[str, list[CheckRow]]]:
        """The checks by the sections of the statement, in its order, without empty sections."""
        titles = {section.id: section.title for section in self.version.package.sections} | {"": "Other"}
        groups = [
            (title, [row for row in self.rows if (row.section if row.section in titles else "") == section])
            for section, title in titles.items()
        ]
        return [group for group in groups if group[1]]

    def row(self, check: str) -> CheckRow | None:
        return next((row for row in self.rows if row.id == check), None)

    @classmethod
    def of(cls, problem: Problem) -> "ProblemReport":
        """By the checks of the current version. `problem` is published."""
        assert problem.current is not None, f"{problem} is not published"
        count = _Count()
        for standing in Standing.objects.filter(problem=problem).values_list(*_READ):
            count.add(_Read(*standing))
        count.end(problem)
        titles = {mistake.file: mistake.title for mistake in problem.package.mistakes}
        return cls(
            problem,
            problem.current,
            count.learners,
            sum(count.to_solve.values()),
            count.stuck,
            count.attempts,
            count.to_solve,
            [count.row(check, titles) for check in problem.current.planned or _plan_before(problem)],
        )


def _plan_before(problem: Problem) -> Sequence[Mapping[str, Any]]:
    """The checks of the last version that has judged: a new one has told none before its first run."""
    versions = PackageVersion.objects.filter(problem=problem).exclude(planned=[])
    plan: Sequence[Mapping[str, Any]] = versions.order_by("-created_at").values_list("planned", flat=True).first() or ()
    return plan


_READ = (
    *("version", "user", "attempts", "attempts_to_solve", "stuck"),
    *("first_outcomes", "latest_outcomes", "attempts_to_pass", "mistakes"),
)


class _Read(NamedTuple):
    """The fields of a `Standing` that are counted."""

    version: int
    user: int
    attempts: int
    attempts_to_solve: int | None
    stuck: int
    first_outcomes: str
    latest_outcomes: str
    attempts_to_pass: Sequence[int]
    mistakes: Mapping[str, Sequence[Any]]


class _Count:
    """Adds standings up: those of one version as columns, since they have their checks in the same order."""

    def __init__(self) -> None:
        self.learners = self.attempts = self.stuck = 0
        self.to_solve: Counter[int] = Counter()
        self._by_version: dict[int, list[_Read]] = {}
        self._mistakes: Counter[tuple[str, str]] = Counter()
        self._checks: dict[str, _CheckCount] = {}

    def add(self, standing: _Read) -> None:
        self.learners += 1
        self.attempts += standing.attempts
        if standing.attempts_to_solve is not None:
            self.to_solve[standing.attempts_to_solve] += 1
        self.stuck += standing.stuck > 0
        self._by_version.setdefault(standing.version, []).append(standing)
        for mistake, (_, _, explained) in standing.mistakes.items():
            for check, runs in explained.items():
                self._mistakes[check, mistake] += runs

    def end(self, problem: Problem) -> None:
        """Counts the columns, once all are added."""
        versions = PackageVersion.objects.filter(pk__in=self._by_version)
        plans = {key: [check["id"] for check in planned] for key, planned in versions.values_list("pk", "planned")}
        for version, checks in plans.items():
            standings = self._by_version[version]
            columns = zip(
                checks,
                zip(*(standing.first_outcomes for standing in standings), strict=False),
                zip(*(standing.latest_outcomes for standing in standings), strict=False),
                zip(*(standing.attempts_to_pass for standing in standings), strict=False),
                strict=False,
            )
            for check, first, latest, attempts in columns:
                count = self._checks.setdefault(check, _CheckCount())
                count.first.update(first)
                count.latest.update(latest)
                count.attempts.update(attempts)
        stuck = Standing.objects.filter(problem=problem, version__in=plans, stuck__gt=0).order_by("user")
        for version, user, failed_in_a_row in stuck.values_list("version", "user", "failed_in_a_row"):
            for check, times in zip(plans[version], failed_in_a_row, strict=False):
                if times >= STUCK_AFTER:
                    self._checks[check].stuck.append(user)

    def row(self, check: Mapping[str, Any], titles: Mapping[str, str]) -> CheckRow:
        count = self._checks.get(check["id"], _CheckCount())
        explanations = [
            Explanation(mistake, titles[mistake], runs)
            for (explained, mistake), runs in self._mistakes.most_common()
            if explained == check["id"] and mistake in titles
        ]
        return CheckRow(
            check["id"],
            check["title"],
            check["section"],
            check["required"],
            Outcomes.of(count.first),
            Outcomes.of(count.latest),
            count.stuck,
            {attempts: learners for attempts, learners in count.attempts.items() if attempts},
            explanations,
        )


@dataclasses.dataclass
class _CheckCount:
    first: Counter[str] = dataclasses.field(default_factory=Counter)
    latest: Counter[str] = dataclasses.field(default_factory=Counter)
    attempts: Counter[int] = dataclasses.field(default_factory=Counter)
    """0 for who has not passed it."""
    stuck: list[int] = dataclasses.field(default_factory=list)
