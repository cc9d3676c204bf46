"""Judging one submission: claim it, send it to the sandbox, write down what comes back.

A claim is a conditional update that counts up `attempt`. Every later write asks in the same transaction whether the
attempt is still the newest and still running; if not, all that this worker has is dropped. So a doubled or late task
never writes into the result of another. A fault of ours (the sandbox is away, or failed) releases the submission for a
later attempt, a bounded number of times, and then ends as `judge_error`, which never counts.
"""

import dataclasses
import datetime
import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction

from judge import clock, process
from judge.catalog.models import PackageVersion
from judge.logs import submission_context
from judge.submissions.models import CheckResult, State, Submission
from judge.submissions.outcomes import letter_of
from judge.submissions.pauses import with_pauses
from judge.submissions.results import check_values, run_values
from judge.submissions.text import inert
from sandbox import protocol
from sandbox.client import SandboxLost, SandboxUnavailable

log = structlog.stdlib.get_logger(__name__)

PAUSES_WHEN_AWAY = (1, 3, 10, 30, *[60] * 60)
"""Seconds before each new attempt while sandbox or database can't be used: an hour, as they are the reason alone."""
PAUSES_WHEN_LOST = (1, 3, 10, 30)
"""The same after a worker or a sandbox died with the submission in its hands: it may be the reason."""
PAUSES_AFTER_FAULT = (1, 3)
"""The same when judging itself failed, where trying again seldom helps."""
BATCH_SECONDS = 0.1
"""Results are written when they are this old at most: as often as a page asks, without a transaction for each."""
BEAT_SECONDS = 5
"""How often a worker that waits for the sandbox gives a sign of life."""
GRACE_SECONDS = 30
"""What the sandbox may need beyond all time that a busy machine is given, before it counts as gone."""


class JudgesJobs(Protocol):
    """The part of `sandbox.client.Client` that judging uses."""

    def judge(self, job: protocol.Job) -> Iterator[protocol.Event]: ...


class Superseded(Exception):
    """Another attempt has the submission now."""


class JudgeFault(Exception):
    """Judging failed, and not because of the submission."""


def judge(submission_id: UUID, client: JudgesJobs) -> None:
    """Judges the submission, if it waits for that. Faults end in the database and in the log, never as an exception."""
    with submission_context(submission_id):
        try:
            attempt = Attempt.claim(submission_id)
            if attempt is None:
                log.info("nothing to claim")
            else:
                _judge(attempt, client)
        except (OperationalError, InterfaceError) as error:
            log.error("the database can't be used; the submission is judged when it answers again", fault=str(error))


def _judge(attempt: "Attempt", client: JudgesJobs) -> None:
    try:
        try:
            attempt.follow(client)
        except SandboxLost as error:
            attempt.release(f"The sandbox can't be used: {error}.", PAUSES_WHEN_LOST, counter="lost")
        except SandboxUnavailable as error:
            attempt.release(f"The sandbox can't be used: {error}.", PAUSES_WHEN_AWAY, counter="away")
        except (OperationalError, InterfaceError) as error:
            attempt.release(f"The database can't be used: {error}.", PAUSES_WHEN_AWAY, counter="away")
        except JudgeFault as error:
            attempt.release(str(error), PAUSES_AFTER_FAULT, counter="broken")
        except Superseded:
            raise
        except Exception as error:
            log.exception("judging failed")
            attempt.release(f"{type(error).__name__}: {error}", PAUSES_AFTER_FAULT, counter="broken")
    except Superseded:
        log.info("another attempt has it now", attempt=attempt.number)


class Attempt:
    """One claim on a submission: the only thing that may write results."""

    def __init__(self, submission: Submission) -> None:
        self.submission = submission
        self.number = submission.attempt
        self._waiting: list[CheckResult] = []
        self._outcomes = ""
        self._total = submission.total
        self._written_at = time.monotonic()
        self._deadline = float("inf")

    @classmethod
    def claim(cls, submission_id: UUID) -> "Attempt | None":
        """The new attempt, or None when the submission isn't waiting or another worker was faster."""
        now = clock.now()
        due = Submission.objects.filter(pk=submission_id).due(now)
        submission = due.with_problem().first()
        if submission is None:
            return None
        number = submission.attempt + 1
        claim = {"state": State.RUNNING, "attempt": number, "alive_at": now, "worker": process.name()}
        if due.filter(attempt=submission.attempt).update(**claim) != 1:
            return None
        submission.attempt, submission.state = number, State.RUNNING
        return cls(submission)

    def follow(self, client: JudgesJobs) -> None:
        """Sends the job and records events until the outcome. Raises `Superseded` and what `client` raises."""
        for event in with_pauses(client.judge(self._job()), BATCH_SECONDS):
            match event:
                case protocol.Started(checks):
                    self._start(checks)
                case protocol.CheckFinished(result):
                    self._add(result)
                case protocol.Outcome():
                    return self._finish(event)
            self._write_if_due()
        raise JudgeFault("The sandbox ended the job without an outcome.")

    def release(self, fault: str, pauses: Sequence[int], *, counter: Literal["away", "lost", "broken"]) -> None:
        """Gives the submission back for a later attempt, or ends it as `judge_error` when all pauses were used.

        Each kind of fault is counted apart: a long outage takes nothing from the patience with what may be the
        submission's doing.
        """
        before = self.submission
        times = {"away": before.faults - before.lost - before.broken, "lost": before.lost, "broken": before.broken}
        times[counter] += 1
        reference = secrets.token_hex(4)
        again = times[counter] <= len(pauses)
        log.error("judging failed", fault=fault, reference=reference, attempt=self.number, again=again)
        now = clock.now()
        self._waiting = []
        values = {
            "faults": sum(times.values()),
            "lost": times["lost"],
            "broken": times["broken"],
            "fault": inert(fault),
            "reference": reference,
        }
        with transaction.atomic():
            if again:
                due = now + datetime.timedelta(seconds=pauses[times[counter] - 1])
                self._write(state=State.QUEUED, due_at=due, rung_at=None, started_at=None, **values)
            else:
                self._write(
                    state=State.FINISHED, finished_at=now, verdict=protocol.Verdict.JUDGE_ERROR, total=0, **values
                )
            self.submission.checks.all().delete()

    def _job(self) -> protocol.Job:
        package = self.submission.version.package
        return protocol.Job(
            id=str(self.submission.pk),
            submission=self.submission.source,
            package=package.for_judging(),
            limits=package.limits,
            seed=seed_of(self.submission.source),
            owner=str(self.submission.user_id),
        )

    def _start(self, checks: tuple[protocol.CheckInfo, ...]) -> None:
        planned = [dataclasses.asdict(check) for check in checks]
        version = self.submission.version
        if version.planned != planned:
            PackageVersion.objects.filter(pk=version.pk).update(planned=planned)
        self._total = len(checks)
        limits = version.package.limits
        longest = (limits.check_seconds + limits.total_seconds) * protocol.BUSY_FACTOR
        self._deadline = time.monotonic() + longest + GRACE_SECONDS
        self._write(started_at=clock.now(), total=self._total)

    def _add(self, result: protocol.CheckResult) -> None:
        values = check_values(len(self._outcomes), result)
        self._waiting.append(CheckResult(submission=self.submission, **values))
        self._outcomes += letter_of(result)

    def _write_if_due(self) -> None:
        age = time.monotonic() - self._written_at
        if age > BEAT_SECONDS or (self._waiting and age >= BATCH_SECONDS):
            self._write()
        if time.monotonic() > self._deadline:
            raise SandboxLost("it gave no outcome long after the time limit of the problem")

    def _finish(self, outcome: protocol.Outcome) -> None:
        if outcome.verdict is protocol.Verdict.JUDGE_ERROR:
            raise JudgeFault(outcome.message or "The sandbox said judge_error, and no more.")
        with transaction.atomic():
            self._write(
                **run_values(outcome, self._outcomes, self._total),
                state=State.FINISHED,
                finished_at=clock.now(),
                faults=0,
                lost=0,
                broken=0,
                diagnosed=outcome.verdict is protocol.Verdict.ACCEPTED,
            )
            self.submission.diagnose()
            self.submission.record_progress()
        log.info("judged", verdict=outcome.verdict.value, ms=round(outcome.ms), attempt=self.number)

    def _write(self, **values: object) -> None:
        """Stores what waits and `values`, if this attempt is still the newest. Raises `Superseded`."""
        mine = Submission.objects.filter(pk=self.submission.pk, attempt=self.number, state=State.RUNNING)
        with transaction.atomic():
            if mine.update(alive_at=clock.now(), **values) != 1:
                raise Superseded
            CheckResult.objects.bulk_create(self._waiting)
        self._waiting = []
        self._written_at = time.monotonic()


def seed_of(source: str) -> int:
    """Seeds the inputs that checks draw. The same text meets the same inputs; with values copied from a report it is
    another text, and meets others."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:4], "big")
