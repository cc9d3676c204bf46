"""The files of a new problem: a small one that verifies as it is, to be changed step by step."""

import re
from pathlib import Path

from judge.catalog.package import read_folder

SKELETON = Path(__file__).resolve().parent / "skeleton"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_SLUG = 50


def start_files(slug: str, position: int) -> dict[str, str]:
    """The skeleton with a title made of `slug`, at `position` in the catalogue."""
    files = dict(read_folder(SKELETON).files)
    text = files["problem.toml"].replace('title = "My problem"', f'title = "{slug.replace("-", " ").capitalize()}"')
    files["problem.toml"] = text.replace("position = 1000", f"position = {position}")
    return files
