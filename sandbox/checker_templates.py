"""Checker templates, as the server holds them: made for each package version, kept while there are jobs for it."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import logging
import os
import socket
import threading
import weakref
from collections.abc import Iterator

from sandbox.host import Jail, SandboxFault, Template
from sandbox.policy import Profile
from sandbox.protocol import CheckInfo, Job, Package
from sandbox.wire import MAX_EVENT_JSON, FrameError, MessageReader, send_message

log = logging.getLogger("sandbox")

COLLECT_SECONDS = 40.0
"""How long a package's checks may take to be imported and collected."""
REHEARSE_SECONDS = 10.0
"""How long they may take to be rehearsed, which ends by itself after a third of that if no check hangs."""
CHECKER_MEMORY_MB = 2048
KEPT_CHECKER_TEMPLATES = 8
_LIFETIME_CPU = 24 * 3600


class ChecksUnusable(SandboxFault):
    """The package's own: trying again would end in the same way."""


class _NotRehearsed(Exception):
    """The checks were collected; then the checker template did not come to its end."""


@dataclasses.dataclass
class CheckerTemplate:
    """A jail that has collected the checks of one package version, and forks a checker for each job."""

    jail: Jail
    control: socket.socket
    checks: tuple[CheckInfo, ...]
    jobs: int = 0
    """How many jobs use it now."""
    broken: bool = False

    def fork(self, job: Job, core: int, channel: int, events: int) -> None:
        """Starts a checker for `job` that stays on that core. Raises `SandboxFault`."""
        message = {
            "check_seconds": job.limits.check_seconds,
            "output_bytes": job.limits.output_kb * 1024,
            "total_seconds": job.limits.total_seconds,
            "seed": job.seed,
            "core": core,
            "record": job.record,
        }
        try:
            send_message(self.control, message, (channel, events))
        except OSError as error:
            self.broken = True
            raise SandboxFault(f"the checker template is gone: {error}") from None

    def close(self) -> None:
        self.control.close()
        self.jail.close()


@dataclasses.dataclass(eq=False)
class _Making:
    """Held while the template of one package is made."""

    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)


class CheckerTemplates:
    """The checker templates in use, and a few more by last use."""

    def __init__(self, template: Template) -> None:
        self._template = template
        self._lock = threading.Lock()
        self._kept: collections.OrderedDict[tuple[str, str], CheckerTemplate] = collections.OrderedDict()
        self._making: weakref.WeakValueDictionary[tuple[str, str], _Making] = weakref.WeakValueDictionary()
        self._stopped = False

    @contextlib.contextmanager
    def use(self, package: Package) -> Iterator[CheckerTemplate]:
        """The template of a package, made if there is none. Raises `SandboxFault` if its checks cannot be collected."""
        key = (package.slug, package.version)
        with self._lock:
            making = self._making.setdefault(key, _Making())
        # Jobs of one package wait while one of them makes it; other packages wait for none of that.
        with making.lock:
            kept = self._found(key) or self._add(key, self._make(package))
        try:
            yield kept
        finally:
            with self._lock:
                kept.jobs -= 1
                self._evict()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for key in list(self._kept):
                self._retire(key)

    def _found(self, key: tuple[str, str]) -> CheckerTemplate | None:
        """The one that is kept, if it can be used, for one job more."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                return None
            if kept.broken or kept.jail.wait(0):
                self._retire(key)
                return None
            self._kept.move_to_end(key)
            kept.jobs += 1
            return kept

    def _add(self, key: tuple[str, str], made: CheckerTemplate) -> CheckerTemplate:
        """Keeps it, for its first job."""
        with self._lock:
            if self._stopped:
                made.close()
                raise SandboxFault("the sandbox stops")
            self._kept[key] = made
            made.jobs += 1
            return made

    def _evict(self) -> None:
        idle = [key for key, kept in self._kept.items() if not kept.jobs]
        for key in idle:
            if len(self._kept) > KEPT_CHECKER_TEMPLATES or self._kept[key].broken:
                self._retire(key)

    def _retire(self, key: tuple[str, str]) -> None:
        self._kept.pop(key).close()

    def _make(self, package: Package) -> CheckerTemplate:
        """Collects and rehearses the checks; without a rehearsal where that hangs, dies or leaves threads behind."""
        if package.rehearsal:
            try:
                made = self._collect(package, package.rehearsal)
            except _NotRehearsed as failure:
                log.warning("the checks of %s are not rehearsed: %s", package.slug, failure)
            else:
                if made.jail.threads() <= 1:
                    return made
                log.warning("the checks of %s are not rehearsed: they start threads", package.slug)
                made.close()
        return self._collect(package, "")

    def _collect(self, package: Package, rehearsal: str) -> CheckerTemplate:
        """Raises `_NotRehearsed`, or `SandboxFault` if the checks themselves can't be used."""
        ours, theirs = socket.socketpair()
        printed, output = os.pipe()
        try:
            with theirs:
                jail = self._template.fork(
                    Profile.CHECKER_TEMPLATE,
                    memory_mb=CHECKER_MEMORY_MB,
                    cpu_seconds=_LIFETIME_CPU,
                    peer=theirs.fileno(),
                    output=output,
                )
        finally:
            os.close(output)
        setup = {
            "checks": dict(package.checks),
            "functions": dict(package.functions),
            "supplied": dict(package.supplied),
            "rehearsal": rehearsal,
        }
        is_collected = False
        try:
            ours.settimeout(COLLECT_SECONDS)
            send_message(ours, setup)
            reader = MessageReader(ours, MAX_EVENT_JSON)
            answer = reader.receive()
            if "error" in answer:
                raise ChecksUnusable(f"the checks of {package.slug} cannot be used: {answer['error']}")
            is_collected = bool(answer["collected"])
            ours.settimeout(REHEARSE_SECONDS)
            return CheckerTemplate(jail, ours, tuple(CheckInfo(**info) for info in reader.receive()["checks"]))
        except (OSError, FrameError, TypeError, KeyError) as error:
            ours.close()
            jail.wait(1.0)
            said = f"{error}; the jail: {jail.close()}\n{_read_some(printed)}"
            if is_collected:
                raise _NotRehearsed(said) from None
            if isinstance(error, TimeoutError):
                late = f"after {COLLECT_SECONDS:g} s they were still being imported"
                raise ChecksUnusable(f"the checks of {package.slug} cannot be used: {late}") from None
            raise SandboxFault(f"the checks of {package.slug} could not be collected: {said}") from None
        except SandboxFault:
            ours.close()
            jail.close()
            raise
        finally:
            os.close(printed)


def _read_some(descriptor: int) -> str:
    os.set_blocking(descriptor, False)
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, 4096).decode(errors="replace")
    return ""
