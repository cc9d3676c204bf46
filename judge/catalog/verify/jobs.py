"""Many submissions through the sandbox at once: what every part of a verification is built on."""

import concurrent.futures
import dataclasses
import functools
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from judge.catalog.package import ProblemPackage
from sandbox import protocol
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Outcome, Started, Status, Verdict

OWNER = "verification"
"""Waiting jobs are served in turn by owner: a verification takes one turn among the learners."""
_UNUSABLE = re.compile(r"the checks of \S+ cannot be used: ")


class JudgesJobs(Protocol):
    """The part of `sandbox.client.Client` that is used here."""

    def judge(self, job: protocol.Job) -> Iterator[protocol.Event]: ...


@dataclasses.dataclass(frozen=True)
class Task:
    """One submission to judge, and how."""

    name: str
    source: str
    seed: int = 0
    threads: int = 1
    record: bool = False
    """Whether passed checks tell their margins."""
    limits: protocol.Limits | None = None
    """Others than the package's own."""
    until_failure: bool = False
    """Whether to stop at the first required check that does not pass."""


@dataclasses.dataclass(frozen=True)
class Judged:
    """What came of a task."""

    task: Task
    planned: tuple[CheckInfo, ...]
    results: tuple[CheckResult, ...]
    outcome: Outcome | None
    """None if the run was stopped at its first failure."""

    @functools.cached_property
    def failed(self) -> tuple[str, ...]:
        """Ids of the checks that ran and did not pass."""
        return tuple(result.id for result in self.results if result.status not in (Status.PASSED, Status.NOT_RUN))

    @property
    def verdict(self) -> str:
        return self.outcome.verdict.value if self.outcome else Verdict.WRONG_ANSWER.value

    @property
    def is_accepted(self) -> bool:
        return self.outcome is not None and self.outcome.verdict is Verdict.ACCEPTED

    @property
    def fault(self) -> str:
        """What an author or operator must know of a `judge_error`; empty otherwise."""
        if self.outcome is not None and self.outcome.verdict is Verdict.JUDGE_ERROR:
            return self.outcome.message or "judge_error without a message"
        return ""

    @property
    def is_the_checks_fault(self) -> bool:
        """Whether a check broke, or the checks can't even be imported."""
        broken = any(result.status is Status.JUDGE_ERROR for result in self.results)
        return broken or _UNUSABLE.match(self.fault) is not None

    @property
    def first_message(self) -> str:
        """What a learner reads first."""
        if self.outcome is not None and self.outcome.message and not self.fault:
            return self.outcome.message
        return next((result.message for result in self.results if result.status is not Status.PASSED), "")


class Pool:
    """Judges tasks, as many at a time as keep the machine busy."""

    def __init__(self, package: ProblemPackage, client: JudgesJobs, jobs: int = 0) -> None:
        self._package = package
        self._client = client
        self._jobs = jobs or 2 * (os.cpu_count() or 1)

    def run(self, tasks: Sequence[Task], done: Callable[[Task], None] = lambda task: None) -> list[Judged]:
        """All tasks judged, in their order. `done` is called after each. Raises `SandboxUnavailable`."""
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as executor:
            futures = [executor.submit(self.judge, task) for task in tasks]
            try:
                for future in concurrent.futures.as_completed(futures):
                    done(future.result().task)
            except BaseException:
                executor.shutdown(wait=False, cancel_futures=True)
                raise
        return [future.result() for future in futures]

    def judge(self, task: Task) -> Judged:
        """One task. A fault that names neither a check nor the checks as a whole may pass, so it is tried once more."""
        judged = self._judge(task)
        if judged.fault and not judged.is_the_checks_fault:
            judged = self._judge(task)
        return judged

    def _judge(self, task: Task) -> Judged:
        limits = task.limits or self._package.limits
        job = protocol.Job(
            id=f"{self._package.slug}: {task.name}",
            submission=task.source,
            package=self._package.for_judging(),
            limits=limits,
            seed=task.seed,
            owner=OWNER,
            threads=task.threads,
            record=task.record,
        )
        planned: tuple[CheckInfo, ...] = ()
        results: list[CheckResult] = []
        required: set[str] = set()
        events = self._client.judge(job)
        for event in events:
            match event:
                case Started(checks):
                    planned = checks
                    required = {check.id for check in checks if check.required}
                case CheckFinished(result):
                    results.append(result)
                    if task.until_failure and result.id in required and _is_failure(result):
                        _close(events)
                        return Judged(task, planned, tuple(results), None)
                case Outcome():
                    return Judged(task, planned, tuple(results), event)
        lost = Outcome(Verdict.JUDGE_ERROR, "The sandbox ended the job without an outcome.")
        return Judged(task, planned, tuple(results), lost)


def _is_failure(result: CheckResult) -> bool:
    return result.status not in (Status.PASSED, Status.NOT_RUN, Status.JUDGE_ERROR)


def _close(events: Iterator[protocol.Event]) -> None:
    """Cancels the rest of a job: the sandbox notices that nobody listens any more."""
    close = getattr(events, "close", None)
    if close is not None:
        close()
