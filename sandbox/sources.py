"""Modules from texts in memory: a jail imports a submission or a package's files without any folder of them."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
import types
from collections.abc import Mapping, Sequence


class SourceFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports `name.py` of `sources` as the module `name`, ahead of every other place."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = {name.removesuffix(".py"): text for name, text in sources.items() if name.endswith(".py")}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=f"{fullname}.py")

    def exec_module(self, module: types.ModuleType) -> None:
        execute(self._sources[module.__name__], module)


def execute(text: str, module: types.ModuleType) -> None:
    """Runs `text` in `module`, known to tracebacks as `<module's name>.py`. Raises whatever it raises."""
    name = f"{module.__name__}.py"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module.__file__ = name
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)


def load(name: str, text: str) -> types.ModuleType:
    """A new module of that name, registered and run."""
    module = sys.modules[name] = types.ModuleType(name)
    execute(text, module)
    return module
