"""The mutation score: how many small faults in the reference at least one required check notices."""

from collections.abc import Sequence

from judge.catalog.equivalents import FILE, Equivalent, as_entry, idle_entries, read_equivalents
from judge.catalog.mutants import Mutant, mutants_of
from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint
from judge.catalog.verify.jobs import Judged, Task
from judge.catalog.verify.results import MutantResult, MutationScore


class Mutation:
    """The mutants of a package, or every so many of them, and what its author says of them."""

    def __init__(self, package: ProblemPackage, every: int = 1) -> None:
        self._reference = package.reference
        mutants = mutants_of(package.reference)
        self.mutants = mutants[::every]
        self.complaints: list[Complaint] = []
        text = package.files.get(FILE, "")
        self._equivalent = read_equivalents(text, self.complaints) if text else ()
        self.complaints += idle_entries(self._equivalent, mutants)

    def tasks(self) -> list[Task]:
        """Each run ends at the first failure: that a mutant is noticed is all that is asked."""
        return [Task(f"mutant {place}", mutant.source, until_failure=True) for place, mutant in enumerate(self.mutants)]

    def assess(self, judged: Sequence[Judged]) -> tuple[MutationScore, list[Complaint]]:
        survivors, equivalent, killed, complaints = [], [], 0, list(self.complaints)
        for mutant, run in zip(self.mutants, judged, strict=True):
            mark = self._mark(mutant)
            if not run.is_accepted:
                killed += 1
                if mark is not None:
                    check = run.failed[-1] if run.failed else "the judge"
                    what = f"the mutant {mutant.becomes!r} is called equivalent, but {check} notices it"
                    complaints.append(Complaint(FILE, what, "remove the entry", mark.number))
            elif mark is not None:
                equivalent.append(self._result(mutant, mark.reason))
            else:
                survivors.append(self._result(mutant, ""))
                complaints.append(_survived(mutant))
        return MutationScore(len(self.mutants), killed, tuple(survivors), tuple(equivalent)), complaints

    def _mark(self, mutant: Mutant) -> Equivalent | None:
        return next((entry for entry in self._equivalent if entry.describes(mutant)), None)

    def _result(self, mutant: Mutant, reason: str) -> MutantResult:
        return MutantResult(
            function=mutant.function,
            what=mutant.what,
            number=mutant.number,
            line=mutant.line,
            becomes=mutant.becomes,
            diff=mutant.diff(self._reference, "reference.py"),
            entry=as_entry(mutant),
            reason=reason,
        )


def _survived(mutant: Mutant) -> Complaint:
    what = f"no required check notices a mutant that {mutant.what}: {mutant.becomes}"
    remedy = f"sharpen a check, or say in {FILE} why this is no mistake"
    return Complaint("reference.py", what, remedy, mutant.number)
