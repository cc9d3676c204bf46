"""A worker's sign of life: every few seconds a row in the database, with what its sandbox says of itself."""

from typing import Any, Protocol

import structlog

from judge import process
from judge.operations.models import Worker
from judge.repeating import Repeating
from sandbox.client import SandboxUnavailable

log = structlog.stdlib.get_logger(__name__)

BEAT_SECONDS = 5.0


class AnswersPings(Protocol):
    """The part of `sandbox.client.Client` that is used here."""

    def ping(self) -> dict[str, Any]: ...


class Beat:
    """Beats from `start` on. `end` takes its row away: a worker that was told to stop isn't missed."""

    def __init__(self, sandbox: AnswersPings, name: str = "", *, judges: bool = True, verifies: bool = False) -> None:
        self._repeating = Repeating("beat", self.beat, BEAT_SECONDS)
        self._name = name or process.name()
        self._takes = {"judges": judges, "verifies": verifies}
        self._sandbox = sandbox
        self._misses = 0
        self._leaves = False

    def start(self) -> None:
        self._repeating.start()

    def beat(self) -> None:
        answer, fault = None, ""
        try:
            answer = self._sandbox.ping()
        except SandboxUnavailable as error:
            fault = str(error)
        self._say(fault)
        Worker.beat(self._name, **self._takes, sandbox=answer, fault=fault)

    def _say(self, fault: str) -> None:
        """Once for each outage. One miss is none: everything may just be starting. And what stops, stops together."""
        if not fault and self._misses > 1:
            log.info("the sandbox can be reached again")
        self._misses = self._misses + 1 if fault else 0
        if self._misses == 2 and not self._leaves:
            log.error("the sandbox can't be reached; what needs it waits", fault=fault)

    def leave(self) -> None:
        """It was told to stop, and goes on until what it is at has ended."""
        self._leaves = True

    def end(self) -> None:
        """Stops, and takes the row away."""
        self._repeating.stop.set()
        try:
            Worker.objects.filter(name=self._name).delete()
        except Exception:
            log.exception("the row of this worker stays")
