"""What runs in a checker jail: an author's checks, against a submission that runs elsewhere.

A *checker template* (`serve`) is forked from the runtime template once for each package version. It collects the checks
and then only forks: one *checker* for each job, which closes the door behind itself (`_seal`), runs every check, and
tells the server how each ended. The verdict is computed here, from values; what a solution jail sends can be nothing
else. Whatever goes wrong with that jail (silence, death, noise on the channel) costs the check in which it happened:
the checker reports it as lost, the server says what became of it and hands over the channel to a fresh one.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import socket
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import torch

from sandbox import linux
from sandbox.calls import Call
from sandbox.collect import AuthorError, Check, Collection
from sandbox.compare import CheckFailed, record_margins
from sandbox.policy import Profile
from sandbox.protocol import BUSY_FACTOR, Status
from sandbox.proxy import Raised, Reply, SolutionEnded
from sandbox.rehearsal import in_process
from sandbox.text import seconds
from sandbox.trajectory import taken
from sandbox.values import NO_ANSWER
from sandbox.wire import (
    MAX_EVENT_JSON,
    MAX_JOB_JSON,
    Channel,
    FrameError,
    Late,
    MessageReader,
    PeerGone,
    send_message,
    send_messages,
)

MAX_MESSAGE = 6000
"""Characters of a check's message."""
COLLECT_CPU_SECONDS = 5
"""What importing a package's checks may compute: ten times what any should."""
REHEARSALS = 3
REHEARSAL_SECONDS = 3.0
GATHER_SECONDS = 0.02
"""How long results wait for more: waking the server for each would take longer than most checks."""


def serve(
    control: socket.socket, settled: Callable[[], None], programs: dict[Profile, bytes], *, filtered: bool
) -> None:
    """The life of a checker template. It ends when the server closes `control`; `settled` is called before it loads."""
    torch.set_num_threads(1)
    reader = MessageReader(control, MAX_JOB_JSON)
    setup = reader.receive()
    settled()
    try:
        with _cpu_limited(COLLECT_CPU_SECONDS):
            collection = Collection(setup["checks"])
    except AuthorError as error:
        send_message(control, {"error": str(error)})
        return
    except BaseException:
        send_message(control, {"error": traceback.format_exc()[-MAX_MESSAGE:]})
        return
    _be_silent()
    send_message(control, {"collected": True})
    if setup["rehearsal"]:
        _rehearse(collection, setup)
    gc.collect()
    gc.freeze()
    send_message(control, {"checks": [vars(check.info) for check in collection.checks]})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the checkers
    while True:
        try:
            job = reader.receive()
        except PeerGone:
            return
        channel, events = reader.take_descriptor(), reader.take_descriptor()
        if os.fork() == 0:
            speaker = socket.socket(fileno=events)
            try:
                _seal(job, (channel, events), programs[Profile.CHECKER] if filtered else None)
                _Run(job, collection, setup["functions"], Channel(channel), speaker).run()
            except BaseException:
                send_message(speaker, {"fault": traceback.format_exc()[-MAX_MESSAGE:]})
            finally:
                os._exit(0)
        os.close(channel)
        os.close(events)


@contextlib.contextmanager
def _cpu_limited(seconds: int) -> Iterator[None]:
    """Raises `TimeoutError` where the process is, once it has used so many seconds more of the processor.

    Code may catch that and go on; then the server's patience ends it, which does not know the place.
    """

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"it has not come to its end after {seconds} s of computing")

    previous = signal.signal(signal.SIGXCPU, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds + 1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        signal.signal(signal.SIGXCPU, previous)


def _rehearse(collection: Collection, setup: dict[str, Any]) -> None:
    """Runs all checks against a right submission in this process, so that what they do once is done.

    What they raise is nobody's concern here; verification has seen to it.
    """
    with in_process(setup["functions"], setup["supplied"], setup["rehearsal"]) as caller:
        end = time.monotonic() + REHEARSAL_SECONDS
        for _ in range(REHEARSALS):
            for check in collection.checks:
                if time.monotonic() < end:
                    collection.run(check, caller, seed=0)
                    taken()  # it belongs to no submission


def _be_silent() -> None:
    """What checks print goes nowhere: it could name what they expect."""
    null = os.open("/dev/null", os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.close(null)


def _seal(job: dict[str, Any], descriptors: tuple[int, ...], program: bytes | None) -> None:
    """A checker gives up what only its template needs: the control socket, forking, and the template's CPU time."""
    linux.die_with_parent(signal.SIGKILL)
    linux.close_all_but([0, 1, 2, *descriptors])
    limit = int(job["total_seconds"]) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    if program is not None:
        linux.apply_seccomp(program)


class _Lost(Exception):
    """There is no answer from the solution jail: `reason` is `late`, `gone`, `noise` or `output`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail)
        self.reason = reason


class _Run:
    """One job: every check, in order."""

    def __init__(
        self,
        job: dict[str, Any],
        collection: Collection,
        functions: dict[str, str],
        channel: Channel,
        events: socket.socket,
    ) -> None:
        self._collection = collection
        self._channel = channel
        self._events = events
        self._gathered: list[dict[str, Any]] = []
        self._said_at = 0.0
        self._reader = MessageReader(events, MAX_EVENT_JSON)
        self._check_seconds: float = job["check_seconds"]
        self._output_bytes: int = job["output_bytes"]
        self._total_seconds: float = job["total_seconds"]
        self._seed: int = job["seed"]
        self._core: int = job["core"]
        self._record: bool = job["record"]
        self._end = time.monotonic() + self._total_seconds * BUSY_FACTOR
        self._deadline = 0.0
        self._needs_hello = True
        self._printed = 0
        self._printed_before = 0
        self.functions = functions

    def run(self) -> None:
        if not self._load():
            return
        for check in self._collection.checks:
            self._judge(check)
        self._say({"done": True})

    def _load(self) -> bool:
        """Waits until the submission is loaded. Reports and returns False when it cannot be."""
        self._deadline = time.monotonic() + self._check_seconds
        try:
            hello = self._hello()
        except _Lost as lost:
            ending = self._report_lost(lost)
            message = f"While your file was loaded, before any check: {ending.message}"
            self._say({"unloadable": ending.status, "message": message, "line": None, "printed": 0})
            return False
        if isinstance(hello, Raised):
            status = Status.MEMORY_LIMIT if hello.memory else Status.RUNTIME_ERROR
            unloadable = {"unloadable": status, "message": _load_message(hello), "line": hello.line}
        elif not hello:
            names = ", ".join(self.functions)
            message = f"Your file defines none of the functions that this problem asks for: {names}."
            unloadable = {"unloadable": Status.RUNTIME_ERROR, "message": message, "line": None}
        else:
            self._defined = hello
            with contextlib.suppress(OSError):  # it would only be slower
                os.sched_setaffinity(0, {self._core})
            self._say({"loaded": True, "printed": self._printed})
            return True
        self._say(unloadable | {"printed": self._printed})
        return False

    def _hello(self) -> Raised | set[str]:
        """The first frame of a solution jail: what the submission raised as it was loaded, or what it defines."""
        try:
            hello, _ = self._receive()
            self._needs_hello = False
            self._count_output(int(hello["printed"]))
            self._printed_before = self._printed
            if "raised" in hello:
                return Raised.from_reply(hello["raised"])
            return {name for name in hello["defined"] if name in self.functions}
        except Late as late:
            raise _Lost("late") from late
        except PeerGone as gone:
            raise _Lost("gone") from gone
        except (FrameError, *NO_ANSWER) as error:
            raise _Lost("noise", str(error)) from error

    def _judge(self, check: Check) -> None:
        start = time.monotonic()
        if start >= self._end:
            message = (
                f"Not run: the {seconds(self._total_seconds)} that all checks together may take were used up before."
            )
            self._finish(check, Status.NOT_RUN, message, None, 0.0)
            return
        self._deadline = min(start + self._check_seconds, self._end)
        self._printed_before = self._printed
        record = record_margins(on=self._record)
        raised = self._collection.run(check, self, self._seed)
        status, message, details = self._explain(raised)
        if status is Status.PASSED and record is not None:
            details = record.details
        if (kept := taken()) is not None:
            details = {"kind": "trajectory", **(details or {}), "trajectory": kept}
        self._finish(check, status, message, details, (time.monotonic() - start) * 1e3)

    def _finish(self, check: Check, status: Status, message: str, details: Any, ms: float) -> None:
        failed = status is not Status.PASSED
        end = {
            "id": check.info.id,
            "status": status,
            "message": message[:MAX_MESSAGE],
            "hint": check.hint if failed and status is not Status.NOT_RUN else "",
            "details": details,
            "printed": self._printed,
            "ms": ms,
        }
        self._gathered.append({"end": end})
        if time.monotonic() > self._said_at + GATHER_SECONDS:
            self._say()

    def _say(self, *messages: dict[str, Any]) -> None:
        """Sends what was gathered, and then `messages`, to the server."""
        send_messages(self._events, [*self._gathered, *messages])
        self._gathered.clear()
        self._said_at = time.monotonic()

    @staticmethod
    def _explain(raised: BaseException | None) -> tuple[Status, str, Any]:
        if raised is None:
            return Status.PASSED, "", None
        if isinstance(raised, SolutionEnded):
            return raised.status, raised.message, None
        if isinstance(raised, CheckFailed):
            return Status.FAILED, raised.message, raised.details
        # Of the way through pytest only the author's own files help the author.
        own = [frame for frame in traceback.extract_tb(raised.__traceback__) if "/" not in frame.filename]
        places = "".join(traceback.format_list(own))
        return Status.JUDGE_ERROR, f"{type(raised).__name__}: {raised}\n{places}", None

    # What checks use, through `sandbox.checks.Solution`.

    def call(
        self,
        name: str | None,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        observe: bool = False,
        backward: bool | torch.Tensor = False,
        threads: int | None = None,
        on: int | None = None,
        operation: str = "call",
    ) -> Reply:
        """Runs a function of the submission (the experiment for None). Raises `SolutionEnded`."""
        if on is None and name is not None and name not in self._defined:
            raise SolutionEnded(Status.RUNTIME_ERROR, f"Your file does not define {name}.")
        call = Call.make(
            name, args, kwargs, observe=observe, backward=backward, threads=threads, on=on, operation=operation
        )
        with self._spread(threads):
            try:
                return self._exchange(call)
            except _Lost as lost:
                raise self._report_lost(lost) from lost

    @contextlib.contextmanager
    def _spread(self, threads: int | None) -> Iterator[None]:
        """Where a call is to have several threads, they have several cores meanwhile."""
        if threads is None or threads == 1:
            yield
            return
        self._say({"spread": True})
        self._reader.receive()
        yield
        self._say({"spread": False})
        self._reader.receive()

    def _exchange(self, call: Call) -> Reply:
        try:
            if self._needs_hello:
                self._hello()
            self._channel.send(call.request, call.block, self._deadline)
            reply = call.read(*self._receive())
            self._count_output(reply.printed)
            return reply
        except Late as late:
            raise _Lost("late") from late
        except PeerGone as gone:
            raise _Lost("gone") from gone
        except (FrameError, *NO_ANSWER) as error:
            raise _Lost("noise", str(error)) from error

    def _count_output(self, printed: int) -> None:
        """Notes what the jail says it has printed so far. Too much of it since the check began is the jail's end.

        The server sees the text itself, and ends a jail that never says; but it may see it too late for this check.
        """
        self._printed = printed
        if printed - self._printed_before > self._output_bytes:
            raise _Lost("output")

    def _receive(self) -> tuple[Any, bytes]:
        """The next frame of the solution jail. Where time is up, the server may find that the machine was busy."""
        if self._gathered:
            try:
                return self._channel.receive(min(self._deadline, time.monotonic() + GATHER_SECONDS))
            except Late:
                self._say()
        while True:
            try:
                return self._channel.receive(self._deadline)
            except Late:
                self._say({"patience": True})
                more = float(self._reader.receive()["more"])
                if more <= 0:
                    raise
                self._deadline = time.monotonic() + more

    def _report_lost(self, lost: _Lost) -> SolutionEnded:
        """Tells the server, hears what became of the jail, and takes the channel to a fresh one."""
        self._say({"lost": lost.reason})
        answer = self._reader.receive()
        os.close(self._channel.descriptor)
        self._channel = Channel(self._reader.take_descriptor())
        self._needs_hello = True
        self._printed = self._printed_before = 0
        if answer["spent"]:
            self._end = 0.0
        return SolutionEnded(Status(answer["status"]), answer["message"])


def _load_message(raised: Raised) -> str:
    at = f" at line {raised.line}" if raised.line else ""
    if raised.memory:
        return f"Your file asked for more memory than it may use while it was loaded{at}."
    if "SyntaxError" in raised.bases:
        return f"Your file is not valid Python: {raised.type}{at}: {raised.message}."
    if "SystemExit" in raised.bases:
        return f"Your file ended the program{at} while it was loaded (sys.exit or exit). Remove that call."
    return f"Your file could not be loaded: {raised.type}{at}: {raised.message}"
