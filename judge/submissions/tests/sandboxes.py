"""Submissions to *Halving*, and a sandbox that fails in the ways in which the real one can't be made to fail."""

from collections.abc import Iterator

from sandbox import protocol

RIGHT = "def halve(x):\n    return x / 2\n"
THIRD = "def halve(x):\n    return x / 3\n"

CHECKS = (
    protocol.CheckInfo("two", "Two becomes one", "halving", "half", required=True),
    protocol.CheckInfo("zero", "Zero stays zero", "halving", "half", required=True),
    protocol.CheckInfo("unchanged", "The input is not changed", "care", "unchanged", required=True),
)
PASSED: list[protocol.Event] = [
    protocol.CheckFinished(protocol.CheckResult(check.id, protocol.Status.PASSED)) for check in CHECKS
]
ACCEPTED: list[protocol.Event] = [
    protocol.Started(CHECKS),
    *PASSED,
    protocol.Outcome(protocol.Verdict.ACCEPTED, ms=12.0),
]


class Scripted:
    """Gives these events, raises these exceptions, and keeps the jobs that it got."""

    def __init__(self, *script: protocol.Event | Exception) -> None:
        self.script = script
        self.jobs: list[protocol.Job] = []

    def judge(self, job: protocol.Job) -> Iterator[protocol.Event]:
        self.jobs.append(job)
        for item in self.script:
            if isinstance(item, Exception):
                raise item
            yield item
