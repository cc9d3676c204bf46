"""Verifying a draft on a worker: claim it, run it, and write down how far it has come and what was found.

A verification takes minutes, so it has a queue and a worker of its own, and no learner waits behind it; in the sandbox
its runs take turns with the learners', and leave a core free. A worker that is told to stop gives back what it holds;
one that dies is missed after a while. Everything is a conditional update of the row, so a doubled or late task changes
nothing.
"""

import math
import os
import threading
import time
from typing import Any
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError

from judge import clock
from judge.catalog.package import PackageError, parse
from judge.catalog.verify import Progress, unreadable, verify
from judge.catalog.verify.jobs import JudgesJobs
from judge.classroom.models.verification import DEAD_AFTER, RunState, VerificationRun
from judge.repeating import Repeating
from judge.submissions.text import inert
from sandbox.client import SandboxUnavailable

log = structlog.stdlib.get_logger(__name__)

WRITE_SECONDS = 0.5
"""How far it has come is written so often at most."""
RETRY_SECONDS = 5.0
"""How long to wait for a sandbox that is away."""
SANDBOX_ATTEMPTS = 12
AT_ONCE = max(1, (os.cpu_count() or 1) - 1)
"""Runs that are judged at a time: a core is left for learners."""

stopping = threading.Event()
"""Set when this worker was told to stop."""


class Taken(Exception):
    """The run was cancelled, or another worker has it."""


class Stopping(Exception):
    """This worker was told to stop."""


def verify_run(run_id: UUID, client: JudgesJobs) -> None:
    """Verifies it, if it waits for that. Faults end in the database and in the log, never as an exception."""
    run = VerificationRun.objects.select_related("draft").filter(pk=run_id, state=RunState.QUEUED).first()
    if run is None or not run.claim():
        log.info("nothing to claim", verification=str(run_id))
        return
    log.info("verifying", verification=str(run_id), problem=run.draft.slug, attempt=run.attempt)
    # It says that the worker lives, also while a single run takes its time.
    beat = Repeating("verification-beat", run.write, DEAD_AFTER.total_seconds() / 6)
    beat.start()
    try:
        _end(run, RunState.FINISHED, **_found(run, client))
    except Taken:
        log.info("the verification was cancelled", verification=str(run_id))
    except Stopping:
        run.give_back()
        log.info("the worker stops; another takes it", verification=str(run_id))
    except (OperationalError, InterfaceError) as error:
        # Nothing can be written now. It is missed after a while, which counts: the package might be the reason.
        said = "the database can't be used; the verification begins anew"
        log.error(said, verification=str(run_id), fault=str(error).strip())
    except SandboxUnavailable as error:
        _end(run, RunState.FAILED, fault=f"The sandbox can't be used: {error}")
    except Exception as error:
        log.exception("verifying failed", verification=str(run_id))
        _end(run, RunState.FAILED, fault=f"{type(error).__name__}: {error}")
    finally:
        beat.stop.set()
        beat.join()


def _found(run: VerificationRun, client: JudgesJobs) -> dict[str, Any]:
    """What to store of it. Raises `Taken`, `Stopping`, `SandboxUnavailable`."""
    try:
        package = parse(run.draft.slug, run.files)
    except PackageError as error:
        return {"verified": False, "result": inert(unreadable(error).as_dict())}
    for attempt in range(1, SANDBOX_ATTEMPTS + 1):
        try:
            found = verify(package, client, _Writer(run), at_once=AT_ONCE)
        except SandboxUnavailable:
            if attempt == SANDBOX_ATTEMPTS:
                raise
            _Writer(run).say(stage="The sandbox is away; waiting for it", done=0, total=0)
            stopping.wait(RETRY_SECONDS)
        else:
            return {"verified": found.is_verified, "result": inert(_finite(found.as_dict()))}
    raise AssertionError("the last attempt returns or raises")


class _Writer:
    """Writes how far a run has come, now and then, and notices when it shall end."""

    def __init__(self, run: VerificationRun) -> None:
        self._run = run
        self._written_at = -math.inf

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() - self._written_at >= WRITE_SECONDS or progress.done == progress.total:
            self.say(stage=progress.stage, done=progress.done, total=progress.total)

    def say(self, **values: Any) -> None:
        self._written_at = time.monotonic()
        if stopping.is_set():
            raise Stopping
        if not self._run.write(**values):
            raise Taken


def _end(run: VerificationRun, state: RunState, **values: Any) -> None:
    run.write(state=state, finished_at=clock.now(), **values)


def _finite(value: Any) -> Any:
    """The same for JSON, which has no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
