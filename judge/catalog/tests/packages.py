"""The package that `new_problem` starts, as a whole and with something changed."""

from collections.abc import Mapping

from judge.catalog.package import ProblemPackage, parse, read_folder
from judge.catalog.starting import SKELETON

PACKAGE = read_folder(SKELETON)


def changed(files: Mapping[str, str | None]) -> ProblemPackage:
    """The package with other texts of some files; without those that are None."""
    texts = {name: text for name, text in {**PACKAGE.files, **files}.items() if text is not None}
    return parse("skeleton", texts)


def replaced(file: str, old: str, new: str) -> ProblemPackage:
    """The package with one passage of one file changed."""
    assert old in PACKAGE.files[file]
    return changed({file: PACKAGE.files[file].replace(old, new)})
