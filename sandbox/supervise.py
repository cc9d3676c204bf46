"""One job from its start to its verdict: two jails, the events between them, and what becomes of them."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import select
import socket
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

from sandbox.checker_templates import CheckerTemplate, CheckerTemplates, ChecksUnusable
from sandbox.endings import all_time_used, explain, late, print_too_much, too_many_threads
from sandbox.host import Jail, SandboxFault, Usage
from sandbox.jail import JailBroken
from sandbox.output import Output
from sandbox.protocol import (
    BUSY_FACTOR,
    WALL_FACTOR,
    CheckFinished,
    CheckResult,
    Event,
    Job,
    Outcome,
    Started,
    Status,
    Verdict,
)
from sandbox.spares import Kind, SolutionJails
from sandbox.text import clean, clean_all
from sandbox.wire import MAX_EVENT_JSON, Channel, FrameError, MessageReader, PeerGone, send_message

MIN_PATIENCE_SECONDS = 0.005
GRACE_SECONDS = 5.0
"""How much longer than its limits a job may take before the checks themselves are taken for hanging."""
SETUP_SECONDS = 10.0
MAX_THREADS = 256
"""Of one submission at once. Threads are shared out by the whole host or container, so one may not take them all."""
WATCH_SECONDS = 0.02
"""How often the threads are counted."""


class Cancelled(Exception):
    """Whoever asked for the job went away."""


class Supervision:
    """Runs one job. `emit` is given the events as they come; it raises `Cancelled` when nobody wants them any more."""

    def __init__(
        self,
        job: Job,
        jails: SolutionJails,
        templates: CheckerTemplates,
        emit: Callable[[Sequence[Event]], None],
        client: int,
        *,
        core: int,
        cores: Collection[int],
        stretch: float,
    ) -> None:
        """`client` is the connection of whoever asked; `core` where the job runs, and `cores` where its threads may;
        `stretch` is what limits of time are multiplied with."""
        limits = dataclasses.replace(
            job.limits,
            check_seconds=job.limits.check_seconds * stretch,
            total_seconds=job.limits.total_seconds * stretch,
        )
        self._job = dataclasses.replace(job, limits=limits)
        self._jails = jails
        self._templates = templates
        self._emit = emit
        self._client = client
        self._core = core
        self._cores = cores
        self._output = Output(job.limits.output_kb * 1024)
        self._jail: Jail | None = None
        self._results: list[CheckResult] = []
        self._untold: list[Event] = []
        self._printed_at_load = ""
        self._broken = ""
        self._started = False
        self._began = time.monotonic()
        self._start = self._began
        self._before = Usage(0.0, 0.0)
        self._spent = 0.0
        self._delayed = 0.0
        self._killed_for_output = False
        self._killed_for_time = False
        self._killed_for_threads = False
        self._counted_at = 0.0

    def run(self) -> Outcome:
        """Judges the job. Raises `SandboxFault` for what is our fault, and `Cancelled`. `close` must follow."""
        start = time.monotonic()
        try:
            try:
                verdict, message, line = self._attempt()
            except ChecksUnusable:
                raise
            except SandboxFault:
                if self._results:
                    raise
                # A template that had just died takes the first job with it; no result was told yet, so try a new one.
                self.close()
                verdict, message, line = self._attempt()
        finally:
            self._output.close()  # nothing more is read
        return Outcome(verdict, message, line, self._printed_at_load, (time.monotonic() - start) * 1e3)

    def _attempt(self) -> tuple[Verdict, str, int | None]:
        try:
            with self._templates.use(self._job.package) as checker_template:
                try:
                    return self._run(checker_template)
                except (FrameError, KeyError, TypeError, ValueError) as error:
                    checker_template.broken = True
                    raise SandboxFault(f"the checker said something else than it should: {error!r}") from None
                except SandboxFault:
                    checker_template.broken = True
                    raise
        except JailBroken as broken:
            raise SandboxFault(f"a jail could not be set up:\n{broken}") from None

    def kill(self) -> None:
        """Stops what runs in the solution jail. `close` must follow."""
        if self._jail is not None:
            self._jail.kill()

    def close(self) -> None:
        """Ends the solution jail. The kernel takes a while to give its memory back, so this is best done last."""
        if self._jail is not None:
            with contextlib.suppress(JailBroken):
                self._jail.close()
            self._jail = None

    def _run(self, checker_template: CheckerTemplate) -> tuple[Verdict, str, int | None]:
        events, theirs = socket.socketpair()
        with events:
            with theirs:
                channel = self._new_jail()
                try:
                    checker_template.fork(self._job, self._core, channel, theirs.fileno())
                finally:
                    os.close(channel)
            # What it took to start a template, or to fork on a busy machine, is not the submission's time.
            self._start = self._began = time.monotonic()
            end = self._follow(events, checker_template)
        if "unloadable" in end:
            for check in checker_template.checks:
                self._finish(CheckResult(check.id, Status.NOT_RUN))
            self._tell()
            return Verdict(end["unloadable"]), clean(end["message"]), end["line"]
        return self._verdict(checker_template)

    @property
    def kind(self) -> Kind:
        """The kind of solution jail that this job needs."""
        limits = self._job.limits
        seconds = math.ceil(limits.total_seconds * max(1, self._job.threads)) + 1
        return Kind(limits.memory_mb, seconds)

    def _new_jail(self) -> int:
        """Takes a solution jail and gives it the submission. Returns the checker's end of the channel."""
        package = self._job.package
        fresh = self._jails.take(self.kind)
        self._jail = fresh.jail
        self._spread(wide=False)
        self._before = self._jail.usage()
        self._output.attach(fresh.printed)
        setup = {
            "source": self._job.submission,
            "supplied": dict(package.supplied),
            "functions": list(package.functions),
            "threads": self._job.threads,
        }
        try:
            Channel(fresh.channel).send(setup, deadline=time.monotonic() + SETUP_SECONDS)
        except FrameError as error:
            os.close(fresh.channel)
            raise SandboxFault(f"a solution jail did not take its submission: {error}") from None
        return fresh.channel

    def _spread(self, *, wide: bool) -> None:
        """The solution jail's threads may run on every core, or, unless the job has several, stay on the job's."""
        if self._jail is not None:
            self._jail.stay_on(self._cores if wide or self._job.threads > 1 else {self._core})

    def _follow(self, events: socket.socket, checker_template: CheckerTemplate) -> dict[str, Any]:
        """Handles the checker's messages until its last one, which is returned."""
        reader = MessageReader(events, MAX_EVENT_JSON)
        limits = self._job.limits
        deadline = time.monotonic() + (limits.check_seconds + limits.total_seconds) * BUSY_FACTOR + GRACE_SECONDS
        poller = select.poll()
        poller.register(events, select.POLLIN)
        poller.register(self._client, select.POLLRDHUP)
        watched: int | None = None
        while True:
            # Whoever read it: what a check prints may come with the end of the check before.
            if self._output.over and self._jail is not None and not self._killed_for_output:
                self._killed_for_output = True
                self._jail.kill()
            readable = None if self._output.over else self._output.reader
            if readable != watched:
                if watched is not None:
                    poller.unregister(watched)
                if readable is not None:
                    poller.register(readable, select.POLLIN)
                watched = readable
            ready = dict(poller.poll(max(0.0, min(WATCH_SECONDS, deadline - time.monotonic())) * 1000))
            self._count_threads()
            if time.monotonic() > deadline:
                raise SandboxFault("the checks did not finish within their limits: one of them hangs by itself")
            if self._client in ready:
                raise Cancelled
            if watched in ready:
                self._output.drain()
            if events.fileno() in ready:
                try:
                    reader.fill()
                except PeerGone:
                    raise SandboxFault("the checker ended before its last check") from None
            end = self._handle_buffered(reader, events, checker_template)
            self._tell()
            if end is not None:
                return end

    def _handle_buffered(
        self, reader: MessageReader, events: socket.socket, checker_template: CheckerTemplate
    ) -> dict[str, Any] | None:
        """Handles what has arrived. Returns the checker's last message if it was among that."""
        ended = False
        while (message := reader.next_buffered()) is not None:
            if not self._started:
                self._started = True
                self._untold.append(Started(checker_template.checks))
            if "done" in message:
                return dict(message)
            if "unloadable" in message:
                self._printed_at_load = self._output.take(int(message["printed"]))
                return dict(message)
            if "loaded" in message:
                self._printed_at_load = self._output.take(int(message["printed"]))
                ended = True
            elif "end" in message:
                self._finish(self._result(message["end"]))
                ended = True
            else:
                if ended:
                    self._next_check()
                    ended = False
                self._handle(message, events)
        if ended:
            self._next_check()
        return None

    def _tell(self) -> None:
        if self._untold:
            self._emit(self._untold)
            self._untold = []

    def _count_threads(self) -> None:
        now = time.monotonic()
        if self._jail is None or self._killed_for_threads or now < self._counted_at + WATCH_SECONDS:
            return
        self._counted_at = now
        if self._jail.threads() > MAX_THREADS:
            self._killed_for_threads = True
            self._jail.kill()

    def _handle(self, message: dict[str, Any], events: socket.socket) -> None:
        if "spread" in message:
            self._spread(wide=bool(message["spread"]))
            send_message(events, {})
        elif "patience" in message:
            send_message(events, {"more": self._patience()})
        elif "lost" in message:
            status, text = self._bury(str(message["lost"]))
            since = time.monotonic()
            channel = self._new_jail()
            self._delayed += time.monotonic() - since
            # A checker that ended after it asked has said why; that message comes next.
            with contextlib.suppress(BrokenPipeError):
                answer = {"status": status, "message": text, "spent": self._is_spent}
                send_message(events, answer, (channel,))
            os.close(channel)
        elif "fault" in message:
            raise SandboxFault(f"the checker failed:\n{message['fault']}")
        else:
            raise FrameError(f"unknown message {sorted(message)}")

    def _result(self, end: dict[str, Any]) -> CheckResult:
        status, message = Status(end["status"]), clean(str(end["message"]))
        if status is Status.JUDGE_ERROR:
            self._broken = self._broken or f"check {end['id']}: {message}"
            message = "This check broke while it judged your file. That is our fault, and it is not counted."
        return CheckResult(
            id=str(end["id"]),
            status=status,
            message=message,
            hint=str(end["hint"]),
            details=clean_all(end["details"]),
            printed=self._output.take(int(end["printed"])),
            ms=float(end["ms"]),
        )

    def _finish(self, result: CheckResult) -> None:
        self._results.append(result)
        self._untold.append(CheckFinished(result))

    def _next_check(self) -> None:
        """Charges the checks that ended, and ends the jail if that was all that the checks together may use."""
        self._charge()
        self._began = time.monotonic()
        self._before = self._jail.usage() if self._jail else Usage(0.0, 0.0)
        if self._is_spent and self._jail is not None:
            self._killed_for_time = True
            self._jail.kill()

    def _patience(self) -> float:
        """How many more seconds the solution jail may take: until it has had its CPU time, on a busy machine."""
        limits, now = self._job.limits, time.monotonic()
        cpu, delay = self._used()
        left = min(
            limits.check_seconds - cpu,
            limits.total_seconds - self._spent - cpu,
            self._began + limits.check_seconds * WALL_FACTOR + delay - now,
            self._start + limits.total_seconds * WALL_FACTOR + self._delayed + delay - now,
            self._began + limits.check_seconds * BUSY_FACTOR - now,
        )
        return left if left > MIN_PATIENCE_SECONDS else 0.0

    def _used(self) -> tuple[float, float]:
        """Seconds of CPU, and of waiting for a core, of the solution jail since the current check began."""
        if self._jail is None or self._before.cpu_seconds == math.inf:  # it had ended before
            return 0.0, 0.0
        usage = self._jail.usage()
        return usage.cpu_seconds - self._before.cpu_seconds, usage.delay_seconds - self._before.delay_seconds

    def _charge(self) -> float:
        """Adds to the account what the current check used. Returns its seconds of CPU."""
        cpu, delay = self._used()
        self._spent += min(cpu, self._job.limits.check_seconds)
        self._delayed += delay
        return cpu

    @property
    def _is_spent(self) -> bool:
        """Whether the submission has used up what it may use for all checks together."""
        total = self._job.limits.total_seconds
        wall = time.monotonic() - self._start - self._delayed
        return self._spent >= total or wall >= total * WALL_FACTOR

    def _bury(self, reason: str) -> tuple[Status, str]:
        """Ends the solution jail that the checker lost, and says what became of it."""
        assert self._jail is not None
        cpu = self._charge()
        if reason == "gone" and not (self._killed_for_output or self._killed_for_threads):
            self._jail.wait_for_death()
        ending = self._jail.close()
        self._jail = None
        self._output.bury()
        if self._killed_for_output or reason == "output":
            self._killed_for_output = False
            return print_too_much(self._job.limits)
        if self._killed_for_threads:
            self._killed_for_threads = False
            return too_many_threads(MAX_THREADS)
        if self._killed_for_time:
            return all_time_used(self._job.limits)
        if reason == "late":
            waited = cpu < 0.5 * self._job.limits.check_seconds
            return late(self._job.limits, waited=waited)
        return explain(reason, ending, self._job.limits)

    def _verdict(self, checker_template: CheckerTemplate) -> tuple[Verdict, str, int | None]:
        required = {check.id for check in checker_template.checks if check.required}
        if {check.id for check in checker_template.checks} != {result.id for result in self._results}:
            raise SandboxFault("the checker left checks out")
        if self._broken:
            return Verdict.JUDGE_ERROR, self._broken, None
        for result in self._results:
            if result.id in required and result.status is not Status.PASSED:
                return _VERDICTS[result.status], "", None
        return Verdict.ACCEPTED, "", None


_VERDICTS = {
    Status.FAILED: Verdict.WRONG_ANSWER,
    Status.NOT_RUN: Verdict.TIME_LIMIT,
    **{Status(name): Verdict(name) for name in {*Status} & {*Verdict}},
}
