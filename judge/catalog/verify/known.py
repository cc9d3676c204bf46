"""Every file in `wrong/` fails the checks that it names, and every required check is failed by one of them."""

import difflib
from collections.abc import Sequence

from judge.catalog.checkfiles import CheckPlaces
from judge.catalog.mistakes import Mistake
from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint, Severity
from judge.catalog.verify.jobs import Judged, Task
from judge.catalog.verify.results import CheckCoverage, MistakeResult
from sandbox.protocol import CheckInfo


def mistake_tasks(package: ProblemPackage) -> list[Task]:
    return [Task(mistake.file, package.files[mistake.file], record=True) for mistake in package.mistakes]


def assess_mistakes(
    package: ProblemPackage, checks: Sequence[CheckInfo], judged: Sequence[Judged]
) -> tuple[list[MistakeResult], list[CheckCoverage], list[Complaint]]:
    results, complaints = [], []
    known = {check.id: check for check in checks}
    for mistake, run in zip(package.mistakes, judged, strict=True):
        result = _result(mistake, run, known)
        results.append(result)
        complaints += _complaints(package, result, run, known)
    places = CheckPlaces(package.folder("checks"))
    coverage = [_coverage(check, results) for check in checks]
    for column in coverage:
        if column.required and not column.mistakes:
            what = f"no file in wrong/ fails the required check {column.id}"
            remedy = "add the mistake that it is there to notice, or remove the check"
            complaints.append(places.complaint(column.id, what, remedy))
    return results, coverage, complaints


def _result(mistake: Mistake, run: Judged, known: dict[str, CheckInfo]) -> MistakeResult:
    sections = {known[name].section for name in mistake.fails if name in known}
    beyond = tuple(check for check in run.failed if check not in mistake.fails)
    return MistakeResult(
        file=mistake.file,
        title=mistake.title,
        verdict=run.verdict,
        names=mistake.fails,
        failed=run.failed,
        missed=tuple(name for name in mistake.fails if name in known and name not in run.failed),
        beyond=beyond,
        elsewhere=tuple(check for check in beyond if known[check].section not in sections),
    )


def _complaints(
    package: ProblemPackage, result: MistakeResult, run: Judged, known: dict[str, CheckInfo]
) -> list[Complaint]:
    line = _line_of_fails(package.files[result.file])
    complaints = []
    functions = {check.split("[")[0] for check in known}
    for name in result.names:
        if name not in known and name.split("[")[0] in functions:  # criticism has complained of others
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"write {near[0]!r}" if near else "name one of the checks"
            complaints.append(Complaint(result.file, f"fails names {name!r}, which is no check", remedy, line))
    for name in result.missed:
        remedy = "sharpen the check, or do not name it here"
        complaints.append(Complaint(result.file, f"it passes the check {name} that must notice it", remedy, line))
    if run.is_accepted:
        remedy = "add a required check that notices it"
        complaints.append(Complaint(result.file, "it is accepted, although it is a mistake", remedy))
    silent = [check.id for check in run.results if check.id in run.failed and not check.message.strip()]
    if silent:
        what = f"the check {', '.join(silent)} fails without a message"
        complaints.append(Complaint(result.file, what, "say what was expected and what came", severity=Severity.ERROR))
    return complaints


def _coverage(check: CheckInfo, results: Sequence[MistakeResult]) -> CheckCoverage:
    files = tuple(result.file for result in results if check.id in result.failed)
    return CheckCoverage(check.id, check.title, check.section, check.required, files)


def _line_of_fails(text: str) -> int:
    lines = text.splitlines()
    return next((number for number, line in enumerate(lines, start=1) if line.startswith("# fails")), 1)
