"""How much goes on: runs of each day, and all problems in a line each."""

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Avg, Count, Func, Q, TextField
from django.utils import timezone

from judge.catalog.models import Problem
from judge.submissions.models import Standing, Submission
from sandbox.protocol import Verdict

TREND_DAYS = 14


class Day(Func):
    """The day of a time, in UTC, as text. On SQLite, `TruncDate` would call back into Python for every row."""

    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="substr(%(expressions)s, 1, 10)", **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
        return self.as_sql(compiler, connection, template=template, **context)


@dataclasses.dataclass(frozen=True)
class Activity:
    """Runs of each day, and how they ended."""

    days: Sequence[datetime.date]
    by_day: Mapping[str, Mapping[str, int]]
    """Day -> verdict -> runs."""

    @classmethod
    def of(cls, problem: Problem) -> "Activity":
        runs = Submission.objects.filter(problem=problem).annotate(day=Day("created_at")).order_by()
        by_day: dict[str, dict[str, int]] = {}
        for row in runs.values("day", "verdict").annotate(runs=Count("pk")):
            by_day.setdefault(row["day"], {})[row["verdict"]] = row["runs"]
        return cls(_days_between(sorted(by_day)), by_day)

    @property
    def verdicts(self) -> Counter[str]:
        total: Counter[str] = Counter()
        for counts in self.by_day.values():
            total.update(counts)
        return total

    def rows(self) -> list[dict[str, Any]]:
        """For a chart: a day in four parts."""
        return [{"day": day.isoformat(), **_parts(self.by_day.get(day.isoformat(), {}))} for day in self.days]


def _days_between(known: Sequence[str]) -> list[datetime.date]:
    if not known:
        return []
    first, last = datetime.date.fromisoformat(known[0]), datetime.date.fromisoformat(known[-1])
    return [first + datetime.timedelta(days=offset) for offset in range((last - first).days + 1)]


def _parts(counts: Mapping[str, int]) -> dict[str, int]:
    solved, faults, unfinished = (counts.get(verdict, 0) for verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR, ""))
    failed = sum(counts.values()) - solved - faults - unfinished
    return {"solved": solved, "failed": failed, "faults": faults, "unfinished": unfinished}


@dataclasses.dataclass(frozen=True)
class Summary:
    """One problem in the list of all."""

    problem: Problem
    learners: int
    solved: int
    stuck: int
    runs: int
    """All that were handed in."""
    mean_attempts: float | None
    faults: int
    trend: Sequence[int]
    """Runs of each of the last `TREND_DAYS` days."""

    @classmethod
    def of_all(cls, problems: Sequence[Problem]) -> "list[Summary]":
        counted = Standing.objects.values("problem").annotate(
            learners=Count("pk"),
            solved=Count("pk", filter=Q(attempts_to_solve__isnull=False)),
            stuck_learners=Count("pk", filter=Q(stuck__gt=0)),
            mean=Avg("attempts_to_solve"),
        )
        standings: dict[int, Mapping[str, Any]] = {row["problem"]: row for row in counted}
        keys = [problem.pk for problem in problems]
        days, trend = _trend(keys)
        handed_in = Submission.objects.filter(problem__in=keys).order_by().values("problem").annotate(runs=Count("pk"))
        runs: Counter[int] = Counter({row["problem"]: row["runs"] for row in handed_in})
        failed = Submission.objects.filter(problem__in=keys, verdict=Verdict.JUDGE_ERROR).order_by().values("problem")
        faults: Counter[int] = Counter({row["problem"]: row["runs"] for row in failed.annotate(runs=Count("pk"))})
        return [
            cls(
                problem,
                standings.get(problem.pk, {}).get("learners", 0),
                standings.get(problem.pk, {}).get("solved", 0),
                standings.get(problem.pk, {}).get("stuck_learners", 0),
                runs[problem.pk],
                standings.get(problem.pk, {}).get("mean"),
                faults[problem.pk],
                [trend[problem.pk, day] for day in days],
            )
            for problem in problems
        ]


def _trend(problems: Sequence[int]) -> tuple[list[str], Counter[tuple[int, str]]]:
    """The last `TREND_DAYS` days, and how many runs each problem had on each."""
    first = timezone.now().date() - datetime.timedelta(days=TREND_DAYS - 1)
    start = datetime.datetime.combine(first, datetime.time(), datetime.UTC)
    recent = (
        Submission.objects.filter(problem__in=problems, created_at__gte=start)
        .annotate(day=Day("created_at"))
        .order_by()
    )
    counted = recent.values("problem", "day").annotate(runs=Count("pk"))
    days = [(first + datetime.timedelta(days=offset)).isoformat() for offset in range(TREND_DAYS)]
    return days, Counter({(row["problem"], row["day"]): row["runs"] for row in counted})
