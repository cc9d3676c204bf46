"""Runs that fail in the same way, and no known mistake explains it: what an author may want to catalogue next."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count

from judge.catalog.models import Problem
from judge.submissions.models import Submission
from judge.submissions.outcomes import FAILED

MOST_CLUSTERS = 12


@dataclasses.dataclass(frozen=True)
class Cluster:
    """Runs that fail in the same way, and no known mistake explains it."""

    pattern: str
    learners: int
    runs: int
    example: Submission
    checks: Sequence[Mapping[str, Any]]
    """What fails, as in the plan of the version that judged the example."""
    message: str
    """What the first of them says."""

    @classmethod
    def of_problem(cls, problem: Problem, most: int = MOST_CLUSTERS) -> "list[Cluster]":
        """The most common ones; those of many learners first."""
        alike = Submission.objects.filter(problem=problem, pattern__gt="").order_by()
        counted = alike.values("pattern").annotate(learners=Count("user", distinct=True), runs=Count("user"))
        return [
            cls.of_pattern(problem, row["pattern"], row["learners"], row["runs"])
            for row in counted.order_by("-learners", "-runs", "pattern")[:most]
        ]

    @classmethod
    def of_pattern(cls, problem: Problem, pattern: str, learners: int, runs: int) -> "Cluster":
        example = Submission.objects.with_problem().filter(problem=problem, pattern=pattern)[:1].get()
        explained = {check for diagnosis in example.diagnoses.all() for check in diagnosis.checks}
        failed = [
            check
            for check, letter in zip(example.version.planned, example.outcomes, strict=False)
            if letter in FAILED and check["id"] not in explained
        ]
        result = example.checks.filter(check_id=failed[0]["id"]).first() if failed else None
        return cls(pattern, learners, runs, example, failed, result.message if result else "")

    @classmethod
    def find(cls, problem: Problem, pattern: str) -> "Cluster | None":
        members = Submission.objects.filter(problem=problem, pattern=pattern)
        counted = members.aggregate(learners=Count("user", distinct=True), runs=Count("user"))
        return cls.of_pattern(problem, pattern, **counted) if pattern and counted["runs"] else None
