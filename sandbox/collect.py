"""Collecting an author's checks with pytest, once, from texts in memory; and running one collected item.

pytest does what authors know it for (fixtures, parameters); its reports, plug-ins and files are left out, since a run
of all checks has a tenth of a second. Plain asserts are not rewritten: their text would show a hidden check's source.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from _pytest.config import _prepareconfig
from _pytest.main import Session

from sandbox.checks import Mark
from sandbox.protocol import CheckInfo
from sandbox.proxy import Caller, Solution
from sandbox.sources import SourceFinder

_LEFT_OUT = (
    "cacheprovider capture debugging doctest faulthandler junitxml legacypath logging nose pastebin recwarn setuponly "
    "setupplan stepwise subtests threadexception tmpdir unittest unraisableexception warnings"
).split()


class AuthorError(Exception):
    """The package's checks cannot be used as they are. The message says which file and why."""


@dataclasses.dataclass(frozen=True)
class Check:
    """A collected check."""

    info: CheckInfo
    hint: str
    item: pytest.Function


class Collection:
    """All checks of a package, ready to run in forks of this process."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """Imports and collects. Raises `AuthorError`."""
        self._plugin = _Plugin()
        sys.meta_path.insert(0, SourceFinder(sources))
        left_out = [part for name in _LEFT_OUT for part in ("-p", f"no:{name}")]
        arguments = ["-c", "/dev/null", "--rootdir=/", "--assert=plain", "--import-mode=importlib", *left_out]
        config = _prepareconfig(arguments, [self._plugin])
        config._do_configure()
        config.pluginmanager.unregister(name="terminalreporter")
        self._session = Session.from_config(config)
        config.hook.pytest_sessionstart(session=self._session)
        self.checks = self._collect(sorted(name for name in sources if name.startswith("test_")))

    def _collect(self, names: list[str]) -> tuple[Check, ...]:
        checks: dict[str, Check] = {}
        for name in names:
            try:
                importlib.import_module(name.removesuffix(".py"))
            except BaseException as error:
                raise AuthorError(f"checks/{name} cannot be imported: {type(error).__name__}: {error}") from error
            module = _MemoryModule.from_parent(self._session, path=pathlib.Path("/checks") / name)
            for item in self._session.genitems(module):
                check = _as_check(item, name)
                if check.info.id in checks:
                    raise AuthorError(f"checks/{name}: two checks are called {check.info.id!r}")
                checks[check.info.id] = check
        if self._plugin.collect_errors:
            raise AuthorError("\n".join(self._plugin.collect_errors))
        if not checks:
            raise AuthorError("checks/: no test function was found")
        return tuple(checks.values())

    def run(self, check: Check, following: Check | None, caller: Caller, seed: int) -> BaseException | None:
        """Runs one check. Returns what it raised, in itself or in its fixtures; None if it passed.

        This is the middle of pytest's own protocol: set-up and tear-down with all fixtures, and the call. The hooks
        around it make reports that nobody reads here, and take longer than most checks.
        """
        self._plugin.begin(Solution(caller), seed, check.info.id)
        item, setup = check.item, self._session._setupstate
        raised: BaseException | None = None
        try:
            setup.setup(item)
            item.obj(**{name: item.funcargs[name] for name in item._fixtureinfo.argnames})
        except BaseException as error:
            raised = error
        try:
            setup.teardown_exact(following.item if following else None)
        except BaseException as error:
            raised = raised or error
        return raised


def _as_check(item: pytest.Item, name: str) -> Check:
    mark = getattr(getattr(item, "function", None), "check_mark", None)
    if not isinstance(item, pytest.Function) or not isinstance(mark, Mark):
        raise AuthorError(f"checks/{name}: {item.name} has no @check(...)")
    callspec = getattr(item, "callspec", None)
    title = f"{mark.title} ({callspec.id})" if callspec else mark.title
    info = CheckInfo(item.name.removeprefix("test_"), title, mark.section, mark.sentence, mark.required)
    return Check(info, mark.hint, item)


class _MemoryModule(pytest.Module):
    """A module of checks that is already imported, and is no file."""

    def _getobj(self) -> Any:
        return sys.modules[self.path.stem]


class _Plugin:
    """The two fixtures, and what goes wrong in collecting."""

    def __init__(self) -> None:
        self.collect_errors: list[str] = []

    def begin(self, solution: Solution, seed: int, check_id: str) -> None:
        self._solution = solution
        digest = hashlib.sha256(f"{seed}:{check_id}".encode()).digest()
        self._seed = int.from_bytes(digest[:6], "big")

    @pytest.fixture
    def solution(self) -> Solution:
        return self._solution

    @pytest.fixture
    def rng(self) -> torch.Generator:
        return torch.Generator().manual_seed(self._seed)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.collect_errors.append(f"{report.nodeid}: {report.longreprtext}")
