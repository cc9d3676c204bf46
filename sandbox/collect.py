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
import traceback
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from _pytest.config import _prepareconfig
from _pytest.main import Session
from _pytest.python import DirectParamFixtureDef

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
    parameters: Mapping[str, Any] | None
    """The arguments of a check besides `solution` and `rng`; None if it uses fixtures that the author wrote."""


class Collection:
    """All checks of a package, ready to run in forks of this process."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """Imports and collects. Raises `AuthorError`."""
        self._plugin = _Plugin()
        sys.meta_path.insert(0, SourceFinder(sources))
        left_out = [part for name in _LEFT_OUT for part in ("-p", f"no:{name}")]
        # Plug-ins that happen to be installed would put their fixtures around every check.
        arguments = ["--disable-plugin-autoload", "-c", "/dev/null", "--rootdir=/"]
        arguments += ["--assert=plain", "--import-mode=importlib", *left_out]
        config = _prepareconfig(arguments, [self._plugin])
        config._do_configure()
        config.pluginmanager.unregister(name="terminalreporter")
        self._session = Session.from_config(config)
        config.hook.pytest_sessionstart(session=self._session)
        self.checks = self._collect(sorted(name for name in sources if name.startswith("test_")))
        with_fixtures = [check for check in self.checks if check.parameters is None]
        self._following = dict(zip((check.info.id for check in with_fixtures), with_fixtures[1:], strict=False))

    def _collect(self, names: list[str]) -> tuple[Check, ...]:
        checks: dict[str, Check] = {}
        for name in names:
            try:
                importlib.import_module(name.removesuffix(".py"))
            except BaseException as error:
                told = f"checks/{name} cannot be imported: {type(error).__name__}: {error}{_place(error, name)}"
                raise AuthorError(told) from error
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

    def run(self, check: Check, caller: Caller, seed: int) -> BaseException | None:
        """Runs one check, in the order of `checks`. Returns what it raised, in itself or in its fixtures; None if it
        passed.

        Where an author wrote fixtures, this is the middle of pytest's own protocol: set-up and tear-down with all of
        them, and the call. The hooks around it make reports that nobody reads here, and take longer than most checks;
        a check that takes nothing but what we give is called at once.
        """
        solution, generator = self._plugin.begin(Solution(caller), seed, check.info.id)
        if check.parameters is None:
            return self._run_with_fixtures(check)
        given = {"solution": solution, "rng": generator, **check.parameters}
        try:
            check.item.obj(**{name: given[name] for name in check.item._fixtureinfo.argnames})
        except BaseException as error:
            return error
        return None

    def _run_with_fixtures(self, check: Check) -> BaseException | None:
        item, setup = check.item, self._session._setupstate
        item._initrequest()  # it may have run before, in a rehearsal
        following = self._following.get(check.info.id)
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


def _place(error: BaseException, name: str) -> str:
    """Where in the file `name` it was raised, for the end of a sentence."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    return f" (line {lines[-1]})" if lines else ""


def _as_check(item: pytest.Item, name: str) -> Check:
    mark = getattr(getattr(item, "function", None), "check_mark", None)
    if not isinstance(item, pytest.Function) or not isinstance(mark, Mark):
        raise AuthorError(f"checks/{name}: {item.name} has no @check(...)")
    callspec = getattr(item, "callspec", None)
    title = f"{mark.title} ({callspec.id})" if callspec else mark.title
    info = CheckInfo(item.name.removeprefix("test_"), title, mark.section, mark.sentence, mark.required)
    return Check(info, mark.hint, item, _parameters(item))


def _parameters(item: pytest.Function) -> Mapping[str, Any] | None:
    """The parameters that pytest gives to a test which uses no fixture but ours; None if it uses others."""
    callspec = getattr(item, "callspec", None)
    for name in item.fixturenames:
        match item._fixtureinfo.name2fixturedefs.get(name):
            case [only] if name in _Plugin.FIXTURES or isinstance(only, DirectParamFixtureDef):
                continue
            case _:
                return None
    return dict(callspec.params) if callspec else {}


class _MemoryModule(pytest.Module):
    """A module of checks that is already imported, and is no file."""

    def _getobj(self) -> Any:
        return sys.modules[self.path.stem]


class _Plugin:
    """The two fixtures, and what goes wrong in collecting."""

    def __init__(self) -> None:
        self.collect_errors: list[str] = []

    FIXTURES = ("solution", "rng")

    def begin(self, solution: Solution, seed: int, check_id: str) -> tuple[Solution, torch.Generator]:
        """What both fixtures give to the check that runs next."""
        digest = hashlib.sha256(f"{seed}:{check_id}".encode()).digest()
        generator = torch.Generator().manual_seed(int.from_bytes(digest[:6], "big"))
        self._given = solution, generator
        return self._given

    @pytest.fixture
    def solution(self) -> Solution:
        return self._given[0]

    @pytest.fixture
    def rng(self) -> torch.Generator:
        return self._given[1]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.collect_errors.append(f"{report.nodeid}: {report.longreprtext}")
