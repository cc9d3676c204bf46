"""What is counted of somebody's runs to one problem, one run after another."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from judge.submissions.outcomes import FAILED, NOT_RUN, PASSED

STUCK_AFTER = 3
"""Who fails a check so often in a row, and has not solved the problem, is stuck on it."""


@dataclasses.dataclass(frozen=True)
class CountedRun:
    """A run that counts: it has ended, and not through a fault of ours."""

    number: int
    solved: bool
    version: int
    """The key of the version that judged it."""
    outcomes: str
    """A letter for each check, in the order of the version's plan."""
    diagnoses: Sequence[tuple[str, Sequence[str]]]
    """The file of a known mistake, and the checks that it explains."""


@dataclasses.dataclass
class Tally:
    """Texts and lists have one entry a check, in the order of the plan of `version`.

    So a report reads columns of a thousand learners at once, and no names. Checks that a new version no longer has are
    forgotten, and those that it adds begin with its first run.
    """

    version: int = 0
    """The key of the version that judged the latest run."""
    latest_number: int = 0
    attempts: int = 0
    attempts_to_solve: int | None = None
    stuck: int = 0
    """On how many checks."""
    first_outcomes: str = ""
    """Of the first run that had the check."""
    latest_outcomes: str = ""
    attempts_to_pass: list[int] = dataclasses.field(default_factory=list)
    """Until it first passed; 0 where it has not."""
    failed_in_a_row: list[int] = dataclasses.field(default_factory=list)
    """How often it has failed until now since it last passed."""
    mistakes: dict[str, list[Any]] = dataclasses.field(default_factory=dict)
    """File of a known mistake -> in how many runs it was, the number of the last of them, and check -> how often it
    explained that check."""

    def add(self, run: CountedRun, plans: "Plans") -> None:
        """Counts the next run."""
        known, plan = len(self.first_outcomes), plans[run.version]
        if run.version != self.version or known != len(plan):
            self._move(plans[self.version][:known] if known else [], plan, run.outcomes)
            self.version = run.version
        self.attempts += 1
        self.latest_number = run.number
        if run.solved and self.attempts_to_solve is None:
            self.attempts_to_solve = self.attempts
        # A run that ended before all checks were known lacks the last ones.
        self.latest_outcomes = run.outcomes.ljust(len(plan), NOT_RUN)[: len(plan)]
        for place, letter in enumerate(self.latest_outcomes):
            if letter == PASSED:
                self.attempts_to_pass[place] = self.attempts_to_pass[place] or self.attempts
            # What was not run says nothing: it neither adds to a row of failures nor ends it.
            if letter in FAILED:
                self.failed_in_a_row[place] += 1
            elif letter != NOT_RUN:
                self.failed_in_a_row[place] = 0
        self.stuck = 0 if self.attempts_to_solve else sum(times >= STUCK_AFTER for times in self.failed_in_a_row)
        self._count(run)

    def _count(self, run: CountedRun) -> None:
        for mistake, explained in run.diagnoses:
            counted = self.mistakes.setdefault(mistake, [0, 0, {}])
            counted[0] += 1
            counted[1] = run.number
            for check in explained:
                counted[2][check] = counted[2].get(check, 0) + 1

    def _move(self, old: Sequence[str], new: Sequence[str], outcomes: str) -> None:
        """Brings what is counted into the order of another plan; new checks begin with `outcomes`."""
        places = {check: place for place, check in enumerate(old)}
        was = [places.get(check) for check in new]
        outcomes = outcomes.ljust(len(new), NOT_RUN)
        self.first_outcomes = "".join(
            outcomes[place] if before is None else self.first_outcomes[before] for place, before in enumerate(was)
        )
        self.attempts_to_pass = [0 if before is None else self.attempts_to_pass[before] for before in was]
        self.failed_in_a_row = [0 if before is None else self.failed_in_a_row[before] for before in was]


Plans = dict[int, list[str]]
"""The key of a version -> the ids of its checks, in order."""
