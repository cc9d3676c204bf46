"""One run of a file outside of web, queue and database: judged, and told as JSON or as text for a terminal."""

import dataclasses
import json
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from judge.catalog.diagnosis import Diagnosis, conceivable, diagnose
from judge.catalog.mistakes import Mistake
from judge.catalog.package import ProblemPackage
from judge.catalog.signatures import Signature
from judge.submissions.judging import JudgesJobs
from judge.submissions.named import headline, named
from judge.submissions.source import BadSource, decoded
from judge.submissions.text import inert
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Job, Outcome, Started, Status, Verdict


@dataclasses.dataclass(frozen=True)
class Run:
    """How `file` was judged against `package`."""

    file: Path
    package: ProblemPackage
    planned: tuple[CheckInfo, ...]
    results: tuple[CheckResult, ...]
    outcome: Outcome
    diagnoses: tuple[Diagnosis, ...] = ()
    """The known mistakes that explain what failed."""

    @classmethod
    def of_file(cls, package: ProblemPackage, file: Path, client: JudgesJobs) -> "Run":
        """Judges `file`. A file that is no text, or too large, is a verdict too. Raises `SandboxUnavailable`."""
        try:
            source = decoded(file.read_bytes())
        except BadSource as reason:
            return cls(file, package, (), (), Outcome(Verdict.RUNTIME_ERROR, str(reason)))
        planned: tuple[CheckInfo, ...] = ()
        results: list[CheckResult] = []
        outcome = Outcome(Verdict.JUDGE_ERROR, "The sandbox ended the job without an outcome.")
        for event in client.judge(Job(str(file), source, package.for_judging(), package.limits)):
            match event:
                case Started(checks):
                    planned = checks
                case CheckFinished(result):
                    results.append(result)
                case Outcome():
                    outcome = event
        return cls(file, package, planned, tuple(results), outcome)

    def diagnosed(self, signatures_of: Callable[[Sequence[Mistake]], Sequence[Signature]]) -> "Run":
        """The same with the mistakes that explain it. `signatures_of` is asked for those that could."""
        results = [(result.id, result) for result in self.results]
        if self.outcome.verdict in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR):
            return self
        mistakes = conceivable(self.package.mistakes, results)
        found = diagnose(signatures_of(mistakes), results) if mistakes else []
        return dataclasses.replace(self, diagnoses=tuple(found))

    def as_json(self) -> str:
        """One line. `output` holds what is said of the whole run, then what was printed while the file was loaded."""
        values = {
            "file": str(self.file),
            "problem": self.package.slug,
            "version": self.package.version,
            "verdict": self.outcome.verdict,
            "checks": [self._check_values(info, result) for info, result in self._checks()],
            "output": "\n".join(text for text in (self.outcome.message, self.outcome.printed) if text),
            "diagnosis": [
                {"mistake": diagnosis.mistake, **told}
                for diagnosis, told in zip(self.diagnoses, self._named(), strict=True)
            ],
            "ms": self.outcome.ms,
        }
        return json.dumps(values)

    def as_text(self) -> str:
        """For a tired reader: the verdict, then what failed, then how much passed of each section."""
        blocks = [self._headline()]
        if self.outcome.message:
            blocks[0] += "\n" + _indented(self.outcome.message)
        if self.outcome.printed:
            blocks.append(_indented("printed while the file was loaded:\n" + self.outcome.printed))
        blocks += self._diagnoses_as_text()
        sections = {section.id: section.title for section in self.package.sections}
        blocks += [
            _failure(info, result, sections.get(info.section, info.section))
            for info, result in self._checks()
            if result.status not in (Status.PASSED, Status.NOT_RUN)
        ]
        blocks.append("\n".join(filter(None, (self._section_line(*section) for section in sections.items()))))
        return "\n\n".join(block for block in blocks if block) + "\n"

    def _named(self) -> list[dict[str, Any]]:
        return named(self.package, [dataclasses.asdict(info) for info in self.planned], self.diagnoses)

    def _diagnoses_as_text(self) -> list[str]:
        mistakes = {mistake.file: mistake for mistake in self.package.mistakes}
        blocks = []
        for diagnosis, told in zip(self.diagnoses, self._named(), strict=True):
            mistake = mistakes[diagnosis.mistake]
            lines = [mistake.sentence, told["because"], textwrap.fill(f"Hint: {mistake.hint}", 100)]
            blocks.append(_indented("\n".join(lines)))
        if len(blocks) > 1:
            blocks.insert(0, _indented(f"{headline(self._named())}:"))
        return blocks

    def _checks(self) -> list[tuple[CheckInfo, CheckResult]]:
        infos = {info.id: info for info in self.planned}
        return [(infos[result.id], result) for result in self.results]

    def _check_values(self, info: CheckInfo, result: CheckResult) -> dict[str, Any]:
        return {
            "id": info.id,
            "title": info.title,
            "section": info.section,
            "required": info.required,
            "status": result.status,
            "message": result.message,
            "details": result.details,
            "ms": result.ms,
        }

    def _headline(self) -> str:
        passed = sum(result.status is Status.PASSED for result in self.results)
        counts = f"{passed} of {len(self.planned)} checks passed, " if self.planned else ""
        verdict = self.outcome.verdict.replace("_", " ")
        return f"{self.file}: {verdict} ({counts}{self.outcome.ms:.0f} ms; {self.package.slug} {self.package.version})"

    def _section_line(self, section: str, title: str) -> str:
        statuses = [result.status for info, result in self._checks() if info.section == section]
        if not statuses:
            return ""
        skipped = statuses.count(Status.NOT_RUN)
        not_run = f", {skipped} not run" if skipped else ""
        return f"  {title}: {statuses.count(Status.PASSED)} of {len(statuses)} passed{not_run}"


def _failure(info: CheckInfo, result: CheckResult, section: str) -> str:
    status = "" if result.status is Status.FAILED else f" ({result.status.replace('_', ' ')})"
    lines = [f"  FAILED{status}  {info.title}  [{section}]"]
    if result.message:
        lines.append(_indented(result.message, 10))
    if result.hint:
        lines.append(_indented(textwrap.fill(f"Hint: {result.hint}", 100), 10))
    if result.printed:
        lines.append(_indented(f"printed:\n{result.printed}", 10))
    return "\n".join(lines)


def _indented(text: str, spaces: int = 2) -> str:
    """Text that a submission may have made, without terminal escapes."""
    return textwrap.indent(inert(text).strip("\n"), " " * spaces)
