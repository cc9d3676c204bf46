"""What is counted of somebody's runs to one problem, one run after another."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from judge.submissions.outcomes import FAILED, NOT_RUN, PASSED


@dataclasses.dataclass(frozen=True)
class CountedRun:
    """A run that counts: it has ended, and not through a fault of ours."""

    number: int
    solved: bool
    checks: Sequence[str]
    """Ids, in the order of the plan of the version that judged."""
    outcomes: str
    """A letter for each."""
    diagnoses: Sequence[tuple[str, Sequence[str]]]
    """The file of a known mistake, and the checks that it explains."""


@dataclasses.dataclass
class Tally:
    attempts: int = 0
    attempts_to_solve: int | None = None
    latest_number: int = 0
    checks: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    """Check -> letter in the first run that had it, letter in the latest, attempts until it first passed (0: not yet),
    and how often it has failed in a row until now."""
    mistakes: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    """File of a known mistake -> in how many runs it was, the number of the last of them, and check -> how often it
    explained that check."""

    def add(self, run: CountedRun) -> None:
        """Counts the next run."""
        self.attempts += 1
        self.latest_number = run.number
        if run.solved and self.attempts_to_solve is None:
            self.attempts_to_solve = self.attempts
        for check, letter in zip(run.checks, run.outcomes, strict=False):
            entry = self.checks.setdefault(check, [letter, letter, 0, 0])
            entry[1] = letter
            if letter == PASSED:
                entry[2] = entry[2] or self.attempts
            # What was not run says nothing: it neither adds to a row of failures nor ends it.
            entry[3] = entry[3] + 1 if letter in FAILED else entry[3] if letter == NOT_RUN else 0
        for mistake, explained in run.diagnoses:
            counted = self.mistakes.setdefault(mistake, [0, 0, {}])
            counted[0] += 1
            counted[1] = run.number
            for check in explained:
                counted[2][check] = counted[2].get(check, 0) + 1
