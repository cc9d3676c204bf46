"""The programs outside Python that some tests need, and what is said where one is missing.

    python tools/programs.py

prints what `make test` left out and how to install it, or nothing. With CI=true a missing program is an error: a test
that a developer may leave out must run there.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import sys
from pathlib import Path


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    commands: tuple[str, ...]
    """Names on the path, the first found is taken."""
    variable: str
    """The environment variable that names another path."""
    tests: str
    package: str
    """Debian's package."""
    folders: str = ""
    """Where it may be if it is not on the path: a pattern below the root, of which the last one found is taken."""

    @property
    def path(self) -> str | None:
        named = os.environ.get(self.variable)
        candidates = (named,) if named else self.commands
        folders = sorted(Path("/").glob(self.folders), reverse=True) if self.folders else []
        beside = [str(folder / command) for folder in folders for command in self.commands]
        return next(filter(None, map(shutil.which, (*candidates, *beside))), None)

    @property
    def advice(self) -> str:
        return f"no {self.name} here; install it with `sudo apt-get install {self.package}` or set {self.variable}"


CHROMIUM = Program(
    name="Chromium",
    commands=("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    variable="PAPERJUDGE_CHROMIUM",
    tests="the browser tests",
    package="chromium",
)
REDIS = Program(
    name="Redis",
    commands=("redis-server",),
    variable="PAPERJUDGE_REDIS_SERVER",
    tests="the tests with a real Redis",
    package="redis-server",
)

POSTGRESQL = Program(
    name="PostgreSQL",
    commands=("postgres",),
    variable="PAPERJUDGE_POSTGRES",
    tests="the tests with a real PostgreSQL",
    package="postgresql",
    folders="usr/lib/postgresql/*/bin",
)


def in_ci() -> bool:
    return os.environ.get("CI", "").lower() in ("1", "true", "yes")


def main() -> int:
    missing = [program for program in (CHROMIUM, REDIS, POSTGRESQL) if program.path is None]
    if missing:
        print("Left out: " + "; ".join(f"{program.tests} ({program.advice})" for program in missing) + ".")
    return 1 if missing and in_ci() else 0


if __name__ == "__main__":
    sys.exit(main())
