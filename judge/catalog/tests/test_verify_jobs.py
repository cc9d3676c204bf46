"""Running many submissions: stopping early, trying again after a fault that may pass, and giving up."""

import time
from collections.abc import Iterator

import pytest

from judge.catalog.tests.packages import PACKAGE
from judge.catalog.verify.jobs import OWNER, Pool, Task
from sandbox.client import Client, SandboxUnavailable
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Event, Job, Outcome, Started, Status, Verdict

WRONG = PACKAGE.files["wrong/bessel.py"]


def test_a_run_tells_what_failed(sandbox_client: Client) -> None:
    (judged,) = Pool(PACKAGE, sandbox_client).run([Task("bessel", WRONG)])

    assert judged.failed == ("value", "dtype", "epsilon", "gradient")
    assert (judged.verdict, judged.is_accepted, judged.fault) == ("wrong_answer", False, "")
    assert judged.first_message.startswith("Result at [0, 0]: expected ")
    assert len(judged.results) == len(judged.planned) == 7


def test_a_run_may_end_at_its_first_failure(sandbox_client: Client) -> None:
    (judged,) = Pool(PACKAGE, sandbox_client).run([Task("bessel", WRONG, until_failure=True)])

    assert [result.id for result in judged.results] == ["value"]
    assert judged.outcome is None
    assert (judged.verdict, judged.is_accepted) == ("wrong_answer", False)


def test_results_come_in_the_order_of_the_tasks(sandbox_client: Client) -> None:
    tasks = [Task("reference", PACKAGE.reference), Task("empty", ""), Task("bessel", WRONG)]
    done: list[str] = []

    judged = Pool(PACKAGE, sandbox_client, jobs=3).run(tasks, lambda task: done.append(task.name))

    assert [run.task.name for run in judged] == ["reference", "empty", "bessel"]
    assert sorted(done) == ["bessel", "empty", "reference"]


class Faulty:
    """A sandbox that fails now and then, in place of the real one."""

    def __init__(self, *answers: list[Event] | Exception) -> None:
        self._answers = iter(answers)
        self.jobs: list[Job] = []

    def judge(self, job: Job) -> Iterator[Event]:
        self.jobs.append(job)
        time.sleep(0.005)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        yield from answer


CHECK = CheckInfo("value", "Value", "task", None, True)
FAULT: list[Event] = [Outcome(Verdict.JUDGE_ERROR, "a jail did not start")]
BROKEN: list[Event] = [
    Started((CHECK,)),
    CheckFinished(CheckResult("value", Status.JUDGE_ERROR)),
    Outcome(Verdict.JUDGE_ERROR, "check value: IndexError: 0"),
]
ACCEPTED: list[Event] = [
    Started((CHECK,)),
    CheckFinished(CheckResult("value", Status.PASSED)),
    Outcome(Verdict.ACCEPTED),
]


def test_a_fault_that_may_pass_is_tried_once_more() -> None:
    client = Faulty(FAULT, ACCEPTED)

    judged = Pool(PACKAGE, client).judge(Task("reference", PACKAGE.reference, seed=3, threads=2))

    assert judged.is_accepted
    assert {(job.seed, job.threads, job.owner) for job in client.jobs} == {(3, 2, OWNER)}


@pytest.mark.parametrize(("answers", "fault"), [((FAULT, FAULT), "a jail did not start"), ((BROKEN,), "check value: ")])
def test_a_fault_that_stays_is_kept(answers: tuple[list[Event], ...], fault: str) -> None:
    judged = Pool(PACKAGE, Faulty(*answers)).judge(Task("reference", PACKAGE.reference))

    assert judged.fault.startswith(fault)
    assert judged.first_message == ""


def test_a_sandbox_that_goes_away_ends_everything() -> None:
    client = Faulty(ACCEPTED, SandboxUnavailable("no sandbox answers"), *[ACCEPTED] * 20)

    with pytest.raises(SandboxUnavailable, match="no sandbox answers"):
        Pool(PACKAGE, client, jobs=1).run([Task(str(number), "") for number in range(20)])

    assert len(client.jobs) < 20
