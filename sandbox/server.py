"""The sandbox server: takes jobs on a Unix socket, and answers each with a stream of events.

It holds no secret and no database, opens no network, and imports no torch. One thread serves one connection; all
foreign code runs in the jails that the template forks.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sandbox.checker_templates import CheckerTemplates
from sandbox.cores import Cores
from sandbox.host import SandboxFault, Template
from sandbox.layers import Layers
from sandbox.logs import about
from sandbox.protocol import (
    MAX_SUBMISSION_BYTES,
    Event,
    Job,
    Outcome,
    ProtocolError,
    Queued,
    Verdict,
    job_from_wire,
    to_wire,
)
from sandbox.queue import FairQueue, QueueFull
from sandbox.spares import SolutionJails
from sandbox.supervise import Cancelled, Supervision
from sandbox.wire import MAX_JOB_JSON, FrameError, MessageReader, send_message, send_messages

log = logging.getLogger("sandbox")

REQUEST_SECONDS = 10.0
"""How long a client may take to send its request, or to take an event."""
DRAIN_SECONDS = 30.0
"""How long a server that is told to stop lets running jobs go on."""
MAX_WAITING = 500


class Server:
    """Serves one socket until it is told to stop."""

    def __init__(self, path: Path, layers: Layers, *, jobs: int, lifeline: int | None = None) -> None:
        """`lifeline` is a pipe to read from: the server stops when its other end is closed."""
        self._path = path
        self._layers = layers
        self._template = Template(layers)
        self._templates = CheckerTemplates(self._template)
        self._jails = SolutionJails(self._template)
        self._queue = FairQueue(jobs, MAX_WAITING)
        self._threads: set[threading.Thread] = set()
        self._cores = Cores()
        self._wake, self._stop = socket.socketpair()
        self._lifeline = lifeline

    def serve(self) -> None:
        """Binds the socket, starts the template and serves until `stop`. The socket is there when all is ready."""
        self._template.start()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        listener = socket.socket(socket.AF_UNIX)
        with listener:
            mask = os.umask(0o117)  # the owner and the group may connect
            try:
                listener.bind(str(self._path))
            finally:
                os.umask(mask)
            listener.listen(128)
            inode = os.stat(self._path).st_ino
            log.info("listening on %s", self._path)
            self._accept(listener)
        with contextlib.suppress(FileNotFoundError):
            if os.stat(self._path).st_ino == inode:
                os.unlink(self._path)
        self._drain()

    def stop(self) -> None:
        """Lets `serve` return. It may be called from a signal handler."""
        with contextlib.suppress(OSError):
            self._stop.send(b"x")

    def _accept(self, listener: socket.socket) -> None:
        poller = select.poll()
        poller.register(listener, select.POLLIN)
        poller.register(self._wake, select.POLLIN)
        if self._lifeline is not None:
            poller.register(self._lifeline, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if self._wake.fileno() in ready or self._lifeline in ready:
                return
            connection, _ = listener.accept()
            self._threads = {thread for thread in self._threads if thread.is_alive()}
            thread = threading.Thread(target=self._serve_connection, args=(connection,), daemon=True)
            try:
                thread.start()
            except RuntimeError as error:  # the client tries again
                log.error("a connection was turned away: %s", error)
                connection.close()
                continue
            self._threads.add(thread)

    def _drain(self) -> None:
        end = time.monotonic() + DRAIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        self._jails.stop()
        self._templates.stop()
        self._template.stop()

    def _serve_connection(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(REQUEST_SECONDS)
            try:
                request = MessageReader(connection, MAX_JOB_JSON).receive()
                if isinstance(request, dict) and "judge" in request:
                    self._judge(connection, job_from_wire(request["judge"]))
                else:
                    send_message(connection, self._status())
            except ProtocolError as error:
                self._answer(connection, Outcome(Verdict.JUDGE_ERROR, f"The job is malformed: {error}"))
            except (OSError, FrameError, Cancelled) as error:
                log.info("a connection ended early: %r", error)

    @staticmethod
    def _answer(connection: socket.socket, event: Event) -> None:
        with contextlib.suppress(OSError):
            send_message(connection, to_wire(event))

    def _status(self) -> dict[str, Any]:
        return {
            "ready": True,
            "running": self._queue.active,
            "waiting": len(self._queue),
            "template_pid": self._template.pid,
            "template_mb": self._template.resident_mb,
            "template_starts": self._template.starts,
            "slowness": round(self._template.slowness, 2),
            "layers": sorted(self._layers.held),
            "missing": {str(layer): reason for layer, reason in self._layers.missing.items()},
            "protections": {str(name): list(by) for name, by in self._layers.protections().items()},
        }

    def _judge(self, connection: socket.socket, job: Job) -> None:
        def emit(events: Sequence[Event]) -> None:
            try:
                send_messages(connection, map(to_wire, events))
            except OSError as error:
                raise Cancelled(str(error)) from None

        def watch(place: int) -> None:
            if _is_gone(connection):
                raise Cancelled
            if place not in told:
                told.clear()
                told.add(place)
                emit([Queued(place)])

        told: set[int] = set()
        size = len(job.submission.encode(errors="replace"))
        if size > MAX_SUBMISSION_BYTES:
            message = f"Your file has {size:,} bytes; at most {MAX_SUBMISSION_BYTES:,} are judged. Make it shorter."
            self._answer(connection, Outcome(Verdict.RUNTIME_ERROR, message))
            return
        supervision: Supervision | None = None
        outcome: Outcome | None = None
        try:
            with self._queue.turn(job.owner, watch), self._cores.one() as core:
                supervision = Supervision(
                    job,
                    self._jails,
                    self._templates,
                    emit,
                    connection.fileno(),
                    core=core,
                    cores=self._cores.all,
                    stretch=self._template.slowness,
                )
                outcome = supervision.run()
            log.info(
                "job %s of %s: %s, %.0f ms", job.id, job.package.slug, outcome.verdict, outcome.ms, extra=about(job.id)
            )
        except QueueFull as full:
            outcome = Outcome(Verdict.JUDGE_ERROR, f"The sandbox has no place to wait: {full}. Try again.")
        except SandboxFault as fault:
            log.error("job %s of %s: %s", job.id, job.package.slug, fault, extra=about(job.id))
            outcome = Outcome(Verdict.JUDGE_ERROR, str(fault))
        except Cancelled:
            log.info("job %s was cancelled: its client went away", job.id, extra=about(job.id))
        except Exception as error:
            log.exception("job %s of %s", job.id, job.package.slug, extra=about(job.id))
            outcome = Outcome(Verdict.JUDGE_ERROR, f"{type(error).__name__}: {error}")
        if supervision is not None:
            supervision.kill()
        if outcome is not None:
            self._answer(connection, outcome)
        if supervision is not None:
            self._close(supervision, job)

    @staticmethod
    def _close(supervision: Supervision, job: Job) -> None:
        try:
            supervision.close()
        except SandboxFault as fault:
            log.error("job %s of %s: %s", job.id, job.package.slug, fault, extra=about(job.id))


def _is_gone(connection: socket.socket) -> bool:
    poller = select.poll()
    poller.register(connection, select.POLLRDHUP)
    return bool(poller.poll(0))


@contextlib.contextmanager
def stop_on_signals(server: Server) -> Iterator[None]:
    """SIGTERM and SIGINT stop the server and let its jobs finish."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    yield
