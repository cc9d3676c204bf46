"""How all checks of a run ended, as one text: a letter a check, in the order of the version's plan.

Reports count millions of results of checks. A letter each, side by side in one row, is read a thousand runs at a time.
"""

from collections.abc import Iterable

from judge.catalog.signatures import ResultOfCheck, failure_of
from sandbox.protocol import Status

PASSED, NOT_RUN, UNWRITTEN = "p", "n", "u"
"""`UNWRITTEN`: it failed only because a function is not written yet."""
_LETTERS = {
    Status.PASSED: PASSED,
    Status.FAILED: "f",
    Status.RUNTIME_ERROR: "e",
    Status.TIME_LIMIT: "t",
    Status.MEMORY_LIMIT: "m",
    Status.OUTPUT_LIMIT: "o",
    Status.SANDBOX_VIOLATION: "v",
    Status.NOT_RUN: NOT_RUN,
    Status.JUDGE_ERROR: "j",
}
_STATUSES = {letter: status for status, letter in _LETTERS.items()} | {UNWRITTEN: Status.RUNTIME_ERROR}
FAILED = frozenset("fetmov")
"""It ran, and the learner has something to mend."""


def letter_of(result: ResultOfCheck) -> str:
    status = Status(result.status)
    if status is Status.RUNTIME_ERROR and failure_of(result).is_left_out:
        return UNWRITTEN
    return _LETTERS[status]


def outcomes_of(results: Iterable[ResultOfCheck]) -> str:
    return "".join(letter_of(result) for result in results)


def status_of(letter: str) -> Status:
    return _STATUSES[letter]
