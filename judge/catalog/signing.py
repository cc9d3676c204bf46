"""Making signatures: known mistakes through the sandbox, each with several seeds."""

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge.catalog.mistakes import Mistake
from judge.catalog.package import ProblemPackage
from judge.catalog.signatures import FORMAT, Signature, failures
from judge.catalog.verify.jobs import Judged, JudgesJobs, Pool, Task

SEEDS = (1, 2)
"""What two runs with different inputs have in common is the mistake's own."""


class NotSigned(Exception):
    """A known mistake could not be judged, and not because the sandbox is away. The message says why."""


def sign(package: ProblemPackage, mistakes: Sequence[Mistake], client: JudgesJobs, *, jobs: int = 0) -> list[Signature]:
    """The signatures of these mistakes of `package`. Raises `NotSigned` and `SandboxUnavailable`.

    Args:
        jobs: how many are judged at a time; by default as many as keep the machine busy.
    """
    tasks = [Task(mistake.file, package.files[mistake.file], seed) for mistake in mistakes for seed in SEEDS]
    judged = Pool(package, client, jobs).run(tasks)
    each = len(SEEDS)
    return [_signature(mistake.file, judged[place * each :][:each]) for place, mistake in enumerate(mistakes)]


class SignatureFiles:
    """Signatures in files, one for each version of a package, for where there is no database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, package: ProblemPackage) -> dict[str, Signature]:
        """Those that were kept for this version, by the files of the mistakes."""
        try:
            kept = json.loads(self._file(package).read_text(encoding="utf-8"))
            return {values["mistake"]: Signature.from_json(values) for values in kept}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def keep(self, package: ProblemPackage, signatures: Iterable[Signature]) -> None:
        """Replaces the file in one step: a reader never sees half of it."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps([signature.as_json() for signature in signatures])
        with tempfile.NamedTemporaryFile("w", dir=self._folder, delete=False, encoding="utf-8") as draft:
            draft.write(text)
        Path(draft.name).replace(self._file(package))

    def _file(self, package: ProblemPackage) -> Path:
        return self._folder / f"{package.slug}-{package.version}-{FORMAT}.json"


def _signature(file: str, runs: Sequence[Judged]) -> Signature:
    for run in runs:
        if run.fault:
            raise NotSigned(f"{file}: {run.fault}")
    return Signature.of_runs(file, [failures((result.id, result) for result in run.results) for run in runs])
