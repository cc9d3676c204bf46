"""The reference and `correct/` pass every check; the starter and an empty file fail, and say so cleanly."""

import dataclasses
from collections.abc import Sequence

from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint, Severity
from judge.catalog.verify.jobs import Judged, Task
from judge.catalog.verify.results import FileResult
from sandbox.protocol import Limits, Status

EMPTY = "an empty file"
_RUNS = ((0, 1), (1, 2), (2, 1))
"""Seed and threads of each run. The first two are done twice, the second time with half of every limit."""
_OF_LIMITS = {Status.TIME_LIMIT, Status.MEMORY_LIMIT, Status.OUTPUT_LIMIT, Status.NOT_RUN}
_UNCLEAN = {"time_limit", "memory_limit", "output_limit", "sandbox_violation"}


def solution_tasks(package: ProblemPackage) -> list[Task]:
    files = ["reference.py", *(f"correct/{name}" for name in sorted(package.folder("correct")) if name.endswith(".py"))]
    half = halved(package.limits, 2)
    tasks = []
    for file in files:
        runs = [Task(file, package.files[file], seed, threads, record=True) for seed, threads in _RUNS]
        tasks += [*runs, *(dataclasses.replace(run, limits=half) for run in runs[:2])]
    return tasks


def refused_tasks(package: ProblemPackage) -> list[Task]:
    return [Task("starter.py", package.starter), Task(EMPTY, "")]


def halved(limits: Limits, by: int) -> Limits:
    """The limits divided by a number."""
    return Limits(
        check_seconds=limits.check_seconds / by,
        total_seconds=limits.total_seconds / by,
        memory_mb=max(1, limits.memory_mb // by),
        output_kb=max(1, limits.output_kb // by),
    )


def assess_solutions(judged: Sequence[Judged]) -> tuple[list[FileResult], list[Complaint]]:
    results, complaints = [], []
    for file in dict.fromkeys(run.task.name for run in judged):
        runs = [run for run in judged if run.task.name == file]
        bad = [run for run in runs if not run.is_accepted or run.failed]
        failed = dict.fromkeys(check for run in bad for check in run.failed)
        worst = next((run for run in bad if not run.is_accepted), runs[0])
        fastest = min(run.outcome.ms for run in runs if run.outcome is not None)
        results.append(
            FileResult(file, worst.verdict, len(runs), tuple(failed), bad[0].first_message if bad else "", fastest)
        )
        complaints += [complaint for run in bad for complaint in _complaints_of_run(run)]
        complaints += _differences(file, runs)
    return results, list(dict.fromkeys(complaints))


def _complaints_of_run(run: Judged) -> list[Complaint]:
    file, how = run.task.name, _how(run)
    if run.fault:
        return []
    if not run.results or all(result.status is Status.NOT_RUN for result in run.results):
        return [Complaint(file, f"it could not be judged{how}: {run.first_message}", "a correct solution must load")]
    required = {check.id for check in run.planned if check.required}
    complaints = []
    for result in run.results:
        if result.status is Status.PASSED or (result.status is Status.NOT_RUN and run.failed):
            continue
        severity = Severity.ERROR if result.id in required else Severity.WARNING
        what = f"check {result.id} ends as {result.status.replace('_', ' ')}{how}: {result.message}"
        complaints.append(Complaint(file, what, _remedy(run), severity=severity))
    return complaints


def _remedy(run: Judged) -> str:
    if run.task.limits is not None and any(result.status in _OF_LIMITS for result in run.results):
        return "raise that limit in problem.toml: a correct solution must need less than half of it"
    return "mend the file if it is wrong; if it is right, the check is too strict"


def _differences(file: str, runs: Sequence[Judged]) -> list[Complaint]:
    """Complaints of checks that end differently in two equal runs that both were judged to their end."""
    complaints = []
    for again in (run for run in runs if run.task.limits is not None):
        first = next(run for run in runs if run.task.limits is None and _setting(run) == _setting(again))
        before = {result.id: (result.status, result.message) for result in first.results}
        different = [result.id for result in again.results if before.get(result.id) != (result.status, result.message)]
        if different and first.is_accepted and again.is_accepted:
            what = f"two equal runs{_how(first)} differ in {', '.join(different)}"
            complaints.append(
                Complaint(file, what, "draw every random number from `rng`, and keep nothing between calls")
            )
    return complaints


def _setting(run: Judged) -> tuple[int, int]:
    return run.task.seed, run.task.threads


def _how(run: Judged) -> str:
    half = ", half of the limits" if run.task.limits is not None else ""
    return f" (seed {run.task.seed}, {run.task.threads} thread{'s' if run.task.threads > 1 else ''}{half})"


def assess_refused(judged: Sequence[Judged]) -> tuple[list[FileResult], list[Complaint]]:
    results, complaints = [], []
    for run in judged:
        file = run.task.name
        assert run.outcome is not None
        results.append(FileResult(file, run.verdict, 1, run.failed, run.first_message, run.outcome.ms))
        if run.fault:
            continue
        if run.is_accepted:
            complaints.append(Complaint(file, "it is accepted", "add checks that what is left to write is written"))
        elif run.verdict in _UNCLEAN:
            what = f"it ends as {run.verdict.replace('_', ' ')}: {run.first_message}"
            complaints.append(
                Complaint(file, what, "let it load at once and raise NotImplementedError where code is missing")
            )
        elif not run.first_message:
            complaints.append(Complaint(file, "it fails without a message", "let each check say what is missing"))
    return results, complaints
