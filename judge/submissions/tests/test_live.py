"""Results can be read while later checks still run."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test import Client

from judge.submissions import judging
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import CHECKS, PASSED, RIGHT
from sandbox import protocol

pytestmark = pytest.mark.django_db(transaction=True)


class Stopped:
    """Gives two results, and the rest when it is let go: a check that takes its time, without the test's taking it."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def judge(self, job: protocol.Job) -> Iterator[protocol.Event]:
        yield protocol.Started(CHECKS)
        yield from PASSED[:2]
        assert self.go.wait(20)
        yield PASSED[2]
        yield protocol.Outcome(protocol.Verdict.ACCEPTED, ms=1.0)


def test_a_report_fills_while_the_next_check_runs(signed_in: Client, hand_in: Callable[[str], Submission]) -> None:
    submission, sandbox = hand_in(RIGHT), Stopped()
    address = f"/submissions/{submission.pk}/state/"

    def work() -> None:
        judging.judge(submission.pk, sandbox)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    end = time.monotonic() + 10
    while len((state := signed_in.get(address).json())["checks"]) < 2 and time.monotonic() < end:
        time.sleep(0.01)

    assert (state["state"], state["sentence"]) == ("running", "Running: 2 of 3 checks")
    assert state["counts"] == {"passed": 2, "failed": 0, "not_run": 0}
    assert len(state["planned"]) == 3
    sandbox.go.set()
    worker.join()
    state = signed_in.get(f"{address}?after=2").json()
    assert (state["state"], state["sentence"]) == ("finished", "Solved")
    assert [check["id"] for check in state["checks"]] == ["unchanged"]


def test_few_transactions_write_many_results(
    hand_in: Callable[[str], Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[int] = []
    write = judging.Attempt._write

    def counted(attempt: judging.Attempt, **values: object) -> None:
        writes.append(len(attempt._waiting))
        write(attempt, **values)

    monkeypatch.setattr(judging.Attempt, "_write", counted)
    submission = hand_in(RIGHT)
    checks = [protocol.CheckInfo(f"c{number}", "", "halving", None, required=True) for number in range(200)]
    results = [protocol.CheckFinished(protocol.CheckResult(check.id, protocol.Status.PASSED)) for check in checks]

    class Fast:
        def judge(self, job: protocol.Job) -> Iterator[protocol.Event]:
            yield protocol.Started(tuple(checks))
            yield from results
            yield protocol.Outcome(protocol.Verdict.ACCEPTED, ms=1.0)

    judging.judge(submission.pk, Fast())

    assert sum(writes) == submission.checks.count() == 200
    assert len(writes) < 20
