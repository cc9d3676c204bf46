"""Files that no check ever sees pass: each ends in a report, and the next submission is healthy."""

from collections.abc import Callable

import pytest

from judge.submissions.models import State, Submission
from judge.submissions.report import sentence
from judge.submissions.tests.sandboxes import RIGHT
from sandbox.protocol import Verdict

Judged = Callable[[str], Submission]


@pytest.mark.parametrize(
    ("source", "verdict", "line", "said"),
    [
        ("", Verdict.RUNTIME_ERROR, None, "halve"),
        ("\n\ndef halve(x:\n", Verdict.RUNTIME_ERROR, 3, "'(' was never closed"),
        ("def half(x):\n    return x / 2\n", Verdict.RUNTIME_ERROR, None, "halve"),
        ("x = 1\nraise RuntimeError('not today')\n", Verdict.RUNTIME_ERROR, 2, "not today"),
        ("while True:\n    pass\n", Verdict.TIME_LIMIT, None, ""),
        ("x = bytearray(10**10)\n", Verdict.MEMORY_LIMIT, None, ""),
        ("import os\nos._exit(0)\n", Verdict.RUNTIME_ERROR, None, ""),
        ("while True:\n    print('x' * 1000)\n", Verdict.OUTPUT_LIMIT, None, ""),
    ],
    ids=["empty", "syntax", "missing", "raises", "loop", "memory", "exit", "output"],
)
def test_a_file_that_does_not_load(judged: Judged, source: str, verdict: Verdict, line: int | None, said: str) -> None:
    submission = judged(source)

    assert (submission.state, submission.verdict) == (State.FINISHED, verdict)
    assert submission.line == line or line is None
    assert said in submission.message
    assert submission.message != ""
    assert (submission.passed, submission.not_run) == (0, 3)
    assert sentence(submission).startswith("Stopped: ")
    assert judged(RIGHT).verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return 0.5", Verdict.WRONG_ANSWER),
        ("return x * float('nan')", Verdict.WRONG_ANSWER),
        ("raise ValueError('no')", Verdict.RUNTIME_ERROR),
        ("while True: pass", Verdict.TIME_LIMIT),
    ],
)
def test_a_function_that_misbehaves(judged: Judged, body: str, verdict: Verdict) -> None:
    submission = judged(f"def halve(x):\n    {body}\n")

    assert (submission.state, submission.verdict) == (State.FINISHED, verdict)
    assert submission.checks.filter(status="passed").count() == submission.passed
    assert submission.passed < 3
    assert all(check.message for check in submission.checks.exclude(status="passed"))
    assert judged(RIGHT).verdict == Verdict.ACCEPTED


def test_wrong_arguments_are_an_error_in_every_check(judged: Judged) -> None:
    submission = judged("def halve():\n    return 1\n")

    assert submission.verdict == Verdict.RUNTIME_ERROR
    assert submission.counts["failed"] == 3
