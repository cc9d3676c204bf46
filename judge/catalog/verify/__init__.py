"""Proving a package: everything that can be measured of its checks, in the real sandbox, before anybody relies on them.

`verify` runs several hundred submissions: the correct ones on several seeds and threads, every known mistake, functions
that return something odd, and mutants of the reference. Each module of this package plans its own tasks and assesses
what came of them; nothing here trusts an author's word for what a run can show.

What it does not prove: that the reference is right. It is the measure of everything else here; only the checks' own
oracles, which share no code with it, speak against it.
"""

import dataclasses
import itertools
import time
from collections.abc import Callable, Sequence

from judge.catalog.criticism import criticize
from judge.catalog.package import PackageError, ProblemPackage
from judge.catalog.table import Complaint
from judge.catalog.verify.calibration import assess_budgets, assess_margins, memory_tasks
from judge.catalog.verify.charts import assess_charts
from judge.catalog.verify.faults import assess_faults
from judge.catalog.verify.jobs import Judged, JudgesJobs, Pool, Task
from judge.catalog.verify.known import assess_mistakes, mistake_tasks
from judge.catalog.verify.messages import assess_messages
from judge.catalog.verify.mutation import Mutation
from judge.catalog.verify.probes import assess_probes, probe_tasks, probes_of
from judge.catalog.verify.results import Verification
from judge.catalog.verify.solutions import assess_refused, assess_solutions, refused_tasks, solution_tasks

__all__ = ["Progress", "Verification", "unreadable", "verify"]


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a verification has come."""

    stage: str
    done: int
    total: int


def verify(
    package: ProblemPackage,
    client: JudgesJobs,
    progress: Callable[[Progress], None] = lambda progress: None,
    *,
    every_mutant: int = 1,
    at_once: int = 0,
) -> Verification:
    """Everything that can be found of `package`. Raises `SandboxUnavailable`.

    With another `every_mutant` only every so many mutants are judged: a sample, for a test that must be quick. So many
    runs are judged `at_once`; 0 keeps the machine busy.
    """
    return _Run(package, client, progress, every_mutant, at_once).run()


def unreadable(error: PackageError) -> Verification:
    """Everything that can be said of a package that can't be run, because it can't be read."""
    complaints = [*error.complaints, *(criticize(error.package) if error.package else ())]
    return Verification(error.slug, error.package.version if error.package else "", tuple(dict.fromkeys(complaints)))


class _Run:
    def __init__(
        self,
        package: ProblemPackage,
        client: JudgesJobs,
        progress: Callable[[Progress], None],
        every_mutant: int,
        at_once: int,
    ) -> None:
        self._package = package
        self._every_mutant = every_mutant
        self._pool = Pool(package, client, at_once)
        self._progress = progress
        self._complaints: list[Complaint] = list(criticize(package))
        self._jobs = 0

    def run(self) -> Verification:
        start = time.monotonic()
        tasks = solution_tasks(self._package)
        ((first,),) = self._judge("the reference", tasks[:1])  # if no check can be collected, one run is enough
        (others,) = self._judge("correct solutions", [] if first.fault and not first.results else tasks[1:])
        correct = [first, *others]
        solutions, complaints = assess_solutions(correct)
        self._complaints += [*assess_faults(correct), *complaints]
        checks = next((run.planned for run in correct if run.planned), ())
        found = Verification(self._package.slug, self._package.version, (), checks=checks, solutions=tuple(solutions))
        if checks and all(run.is_accepted for run in correct if run.task.name == "reference.py"):
            found = self._prove(found, correct)
        return dataclasses.replace(
            found,
            complaints=tuple(dict.fromkeys(self._complaints)),
            jobs=self._jobs,
            seconds=round(time.monotonic() - start, 1),
        )

    def _prove(self, found: Verification, correct: Sequence[Judged]) -> Verification:
        """What makes sense only with a reference that passes."""
        package, probes, mutation = self._package, probes_of(self._package), Mutation(self._package, self._every_mutant)
        refused, wrong, probed, memory, mutated = self._judge(
            "mistakes, odd results, mutants",
            refused_tasks(package),
            mistake_tasks(package),
            probe_tasks(probes),
            memory_tasks(package),
            mutation.tasks(),
        )

        refused_results, refused_complaints = assess_refused(refused)
        mistakes, coverage, mistake_complaints = assess_mistakes(package, found.checks, wrong)
        probe_results, probe_complaints = assess_probes(package, probes, probed)
        margins, margin_complaints = assess_margins(package, found.checks, correct, wrong)
        score, mutation_complaints = mutation.assess(mutated)
        self._complaints += refused_complaints + mistake_complaints + probe_complaints + margin_complaints
        self._complaints += [*mutation_complaints, *assess_charts(package, correct[0])]
        self._complaints += assess_faults([*refused, *wrong, *probed, *memory, *mutated])
        self._complaints += assess_messages(package, [*correct, *refused, *wrong, *probed])
        return dataclasses.replace(
            found,
            coverage=tuple(coverage),
            refused=tuple(refused_results),
            mistakes=tuple(mistakes),
            probes=tuple(probe_results),
            margins=tuple(margins),
            budgets=tuple(assess_budgets(package, correct, memory)),
            mutation=score,
        )

    def _judge(self, stage: str, *groups: Sequence[Task]) -> list[list[Judged]]:
        """All groups at once, so that no core waits for the last job of a group."""
        tasks = [task for group in groups for task in group]
        done = 0

        def count(task: Task) -> None:
            nonlocal done
            done += 1
            self._progress(Progress(stage, done, len(tasks)))

        judged = iter(self._pool.run(tasks, count))
        self._jobs += len(tasks)
        return [list(itertools.islice(judged, len(group))) for group in groups]
