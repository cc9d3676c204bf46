"""Runs that fail in the same way, and no known mistake explains it: what an author may want to catalogue next."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Q

from judge.catalog.models import PackageVersion, Problem
from judge.submissions.models import CheckResult, Submission
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
        rows = list(counted.order_by("-learners", "-runs", "pattern")[:most])
        return _with_examples(problem, [(row["pattern"], row["learners"], row["runs"]) for row in rows])

    @classmethod
    def find(cls, problem: Problem, pattern: str) -> "Cluster | None":
        members = Submission.objects.filter(problem=problem, pattern=pattern)
        counted = members.aggregate(learners=Count("user", distinct=True), runs=Count("user"))
        if not pattern or not counted["runs"]:
            return None
        return _with_examples(problem, [(pattern, counted["learners"], counted["runs"])])[0]


def _with_examples(problem: Problem, counted: Sequence[tuple[str, int, int]]) -> list[Cluster]:
    """Clusters from pattern, learners and runs. An example is whichever run the index gives first."""
    runs = Submission.objects.filter(problem=problem)
    keys = [runs.filter(pattern=pattern).order_by().values_list("pk", flat=True)[:1].get() for pattern, _, _ in counted]
    found = Submission.objects.filter(pk__in=keys).select_related("user").prefetch_related("diagnoses")
    examples = {example.pk: example for example in found}
    versions = PackageVersion.objects.filter(pk__in={example.version_id for example in examples.values()})
    plans = dict(versions.values_list("pk", "planned"))
    failed = {key: _unexplained(examples[key], plans[examples[key].version_id]) for key in keys}
    first = Q(pk__in=())
    for key in keys:
        first |= Q(submission=key, check_id=failed[key][0]["id"] if failed[key] else "")
    messages = dict(CheckResult.objects.filter(first).order_by().values_list("submission", "message"))
    return [
        Cluster(*counts, examples[key], failed[key], messages.get(key, ""))
        for counts, key in zip(counted, keys, strict=True)
    ]


def _unexplained(example: Submission, planned: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The checks that failed and that no known mistake explains."""
    explained = {check for diagnosis in example.diagnoses.all() for check in diagnosis.checks}
    outcomes = zip(planned, example.outcomes, strict=False)
    return [check for check, letter in outcomes if letter in FAILED and check["id"] not in explained]
