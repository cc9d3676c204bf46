"""The texts that learners hand in, each judged once."""

import ast
import dataclasses
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from judge.catalog.diagnosis import Diagnosis, diagnose
from judge.catalog.mistakes import without_head
from judge.catalog.mutants import mutants_of
from judge.catalog.package import ProblemPackage
from judge.catalog.patterns import pattern_of
from judge.catalog.python import parsed
from judge.catalog.signatures import Signature, failures
from judge.catalog.verify.jobs import Judged, JudgesJobs, Pool, Task
from judge.submissions.outcomes import NOT_RUN, PASSED, outcomes_of
from judge.submissions.results import check_values, run_values
from sandbox.protocol import Verdict

KNOWN, HALF_WRITTEN, UNKNOWN, RIGHT = 16, 5, 9, 3
"""How many texts of each kind a problem gets at most."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """One text with what the sandbox said of it."""

    name: str
    source: str
    run: Mapping[str, Any]
    """The fields of a `Submission` that say how it ended."""
    checks: Sequence[Mapping[str, Any]]
    """The fields of its `CheckResult`s."""
    diagnoses: Sequence[Diagnosis]
    pattern: str

    @property
    def is_accepted(self) -> bool:
        return bool(self.run["verdict"] == Verdict.ACCEPTED)

    @property
    def progress(self) -> float:
        """Share of the checks that pass."""
        return float(self.run["passed"] / (self.run["total"] or 1))

    def without(self, check: str, required: frozenset[str]) -> "Entry":
        """How a version without this check would have judged it, given the ids of the required ones."""
        kept = [values for values in self.checks if values["check_id"] != check]
        checks = [{**values, "order": order} for order, values in enumerate(kept)]
        place = next((order for order, values in enumerate(self.checks) if values["check_id"] == check), None)
        if place is None:
            return self
        outcomes = self.run["outcomes"][:place] + self.run["outcomes"][place + 1 :]
        run = {**self.run, "outcomes": outcomes, "total": len(outcomes)}
        run |= {"passed": outcomes.count(PASSED), "not_run": outcomes.count(NOT_RUN)}
        diagnoses = [
            dataclasses.replace(diagnosis, checks=tuple(each for each in diagnosis.checks if each != check))
            for diagnosis in self.diagnoses
        ]
        failed = {values["check_id"] for values in checks if values["status"] != "passed"}
        if checks and not failed & required:
            run |= {"verdict": Verdict.ACCEPTED.value, "message": "", "stopped_in": None}
            return dataclasses.replace(self, run=run, checks=checks, diagnoses=(), pattern="")
        return dataclasses.replace(
            self, run=run, checks=checks, diagnoses=[diagnosis for diagnosis in diagnoses if diagnosis.checks]
        )


@dataclasses.dataclass(frozen=True)
class ProblemPool:
    package: ProblemPackage
    planned: Sequence[Mapping[str, Any]]
    """The checks, as `PackageVersion.planned` keeps them."""
    entries: Sequence[Entry]

    @property
    def right(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.is_accepted]

    @property
    def wrong(self) -> list[Entry]:
        """From the fewest checks that pass to the most."""
        return sorted(
            (entry for entry in self.entries if not entry.is_accepted), key=lambda entry: (entry.progress, entry.name)
        )

    @property
    def single_check(self) -> str:
        """A required check without which some wrong text would be accepted; empty if there is none."""
        required = frozenset(check["id"] for check in self.planned if check["required"])
        for entry in self.wrong:
            failed = [values["check_id"] for values in entry.checks if values["status"] != "passed"]
            if len(required.intersection(failed)) == 1 and not entry.run["not_run"]:
                return str(next(check for check in failed if check in required))
        return ""


def judged_pool(
    package: ProblemPackage, client: JudgesJobs, rng: random.Random, told: Callable[[str], None]
) -> ProblemPool:
    """Raises `SandboxUnavailable`."""
    texts = dict(_texts(package, rng))
    tasks = [Task(name, source) for name, source in texts.items()]
    runs = [run for run in Pool(package, client).run(tasks) if not run.fault]
    told(f"{package.slug}: {len(runs)} texts judged")
    files = {mistake.file for mistake in package.mistakes}
    known = [run for run in runs if run.task.name in files]
    signatures = [
        Signature.of_runs(run.task.name, [failures((result.id, result) for result in run.results)]) for run in known
    ]
    planned = max((run.planned for run in runs), key=len)
    entries = [_entry(run, len(planned), signatures) for run in runs]
    return ProblemPool(package, [dataclasses.asdict(check) for check in planned], entries)


def _entry(run: Judged, planned: int, signatures: Sequence[Signature]) -> Entry:
    assert run.outcome is not None, "no run of a pool is stopped early"
    results = [(result.id, result) for result in run.results]
    accepted = run.is_accepted
    diagnoses = [] if accepted else diagnose(signatures, results)
    explained = {check for diagnosis in diagnoses for check in diagnosis.checks}
    return Entry(
        run.task.name,
        run.task.source,
        run_values(run.outcome, outcomes_of(run.results), planned),
        [check_values(order, result) for order, result in enumerate(run.results)],
        diagnoses,
        "" if accepted else pattern_of(signatures, results, explained),
    )


def _texts(package: ProblemPackage, rng: random.Random) -> Iterator[tuple[str, str]]:
    names = list(package.functions)
    yield "starter", package.starter
    yield "syntax", _broken(package.reference)
    yield "memory", _greedy(package.reference, names[0])
    for count in range(1, len(names)):
        yield f"first {count}", _unwritten(package.reference, names[count:])
    yield "reference", package.reference
    for file in _sample(sorted(name for name in package.files if name.startswith("correct/")), RIGHT, rng):
        yield file, package.files[file]
    known = _sample([mistake.file for mistake in package.mistakes], KNOWN, rng)
    for file in known:
        yield file, without_head(package.files[file])
    for file in known[:HALF_WRITTEN]:
        yield f"half of {file}", _unwritten(without_head(package.files[file]), names[1:])
    for number, mutant in enumerate(_sample(mutants_of(package.reference), UNKNOWN, rng)):
        yield f"mutant {number}", mutant.source


def _sample(items: Sequence[Any], most: int, rng: random.Random) -> list[Any]:
    return rng.sample(items, min(most, len(items)))


def _unwritten(source: str, names: Sequence[str]) -> str:
    """`source` with nothing in these functions, or in the methods of these classes, but `raise NotImplementedError`."""
    lines = source.splitlines()
    for function in reversed(list(_functions(source, names))):
        body = function.body[0]
        indent = " " * body.col_offset
        lines[body.lineno - 1 : function.end_lineno] = [f"{indent}raise NotImplementedError"]
    return "\n".join(lines) + "\n"


def _greedy(source: str, name: str) -> str:
    """`source` with far too large a tensor in the first function."""
    lines = source.splitlines()
    function = next(_functions(source, [name]), None)
    if function is None:
        return source
    last = function.body[-1]
    lines.insert(last.lineno - 1, f"{' ' * last.col_offset}scratch = torch.zeros(40_000, 40_000).double()")
    return "\n".join(lines) + "\n"


def _broken(source: str) -> str:
    """`source` with a colon forgotten."""
    lines = source.splitlines()
    place = max(number for number, line in enumerate(lines) if line.startswith("def ") and line.endswith(":"))
    lines[place] = lines[place].removesuffix(":")
    return "\n".join(lines) + "\n"


def _functions(source: str, names: Sequence[str]) -> Iterator[ast.FunctionDef]:
    for node in parsed(source).body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            yield node
        elif isinstance(node, ast.ClassDef) and node.name in names:
            yield from (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name != "__init__")
