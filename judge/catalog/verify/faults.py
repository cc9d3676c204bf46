"""Checks that broke instead of failing: an author's bug, told once however many runs it showed in."""

import re
from collections.abc import Sequence

from judge.catalog.table import Complaint
from judge.catalog.verify.jobs import Judged

_CHECK = re.compile(r"check ([^\s:]+): (.*)")
_IMPORT = re.compile(
    r"the checks of \S+ cannot be used: (checks/\S+\.py) cannot be imported: (.*?)(?: \(line (\d+)\))?"
)
_PLACE = re.compile(r'File "(\w+\.py)", line (\d+)')


def assess_faults(judged: Sequence[Judged]) -> list[Complaint]:
    """A complaint for each different fault, at the last line of the package's checks that it went through."""
    groups: dict[str, list[Judged]] = {}
    for run in judged:
        if run.fault:
            groups.setdefault(run.fault.splitlines()[0], []).append(run)
    return [_complaint(first_line, runs) for first_line, runs in groups.items()]


def _complaint(first_line: str, runs: Sequence[Judged]) -> Complaint:
    where = runs[0].task.name + (f" and {len(runs) - 1} more" if len(runs) > 1 else "")
    if imported := _IMPORT.fullmatch(first_line):
        file, why, at = imported.groups()
        fix = "a file of checks only defines them: move what it computes into them, or into a fixture"
        fix = fix if why.startswith("TimeoutError") else "mend what the message names"
        return Complaint(file, f"it cannot be imported: {why}", fix, int(at) if at else None)
    check = _CHECK.match(first_line)
    if check is None:
        return Complaint("checks/", f"judging {where} failed: {runs[0].fault}", "mend what the message names")
    places = _PLACE.findall(runs[0].fault)
    place = (f"checks/{places[-1][0]}", int(places[-1][1])) if places else ("checks/", None)
    what = f"the check {check[1]} breaks on {where}: {check[2]}"
    return Complaint(place[0], what, "compare a value with close or equal before computing with it", place[1])
