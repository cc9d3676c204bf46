"""Finding the folder of a problem from what somebody wrote on a command line."""

from pathlib import Path

from django.conf import settings


class NoSuchProblem(Exception):
    """The message names the problems that there are."""


def folder_of(name: str) -> Path:
    """The folder `name`, or that of the problem with this slug. Raises `NoSuchProblem`."""
    for folder in (Path(name), settings.PROBLEMS / name):
        if (folder / "problem.toml").is_file():
            return folder
    known = ", ".join(sorted(path.parent.name for path in settings.PROBLEMS.glob("*/problem.toml")))
    raise NoSuchProblem(f"{name} is neither a folder with a problem.toml nor a problem; problems are: {known}.")
