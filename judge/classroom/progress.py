"""How far long work is, for a page and for what follows it."""

import dataclasses
from typing import Any

from django.db.models import Count, F, Q

from judge.submissions.models import CHANGING, Rejudgement, Stage
from sandbox.protocol import Verdict


@dataclasses.dataclass(frozen=True)
class RejudgementProgress:
    stage: str
    total: int
    judged: int
    changed: int
    """Whose verdict is, or would be, another one."""
    failed: int
    """Could not be judged, and stay as they are."""
    applied: int
    """Have the new results now."""
    kinds: tuple[tuple[str, str, int], ...]
    """Verdict before, verdict after, how many."""

    @classmethod
    def of(cls, rejudgement: Rejudgement) -> "RejudgementProgress":
        is_judged = ~Q(verdict="")
        is_changed = is_judged & ~Q(verdict=Verdict.JUDGE_ERROR) & ~Q(verdict=F("old_verdict"))
        counted = rejudgement.items.aggregate(
            total=Count("pk"),
            judged=Count("pk", filter=is_judged),
            changed=Count("pk", filter=is_changed),
            failed=Count("pk", filter=Q(verdict=Verdict.JUDGE_ERROR)),
            applied=Count("pk", filter=Q(is_applied=True)),
        )
        kinds = rejudgement.items.filter(is_changed).order_by().values_list("old_verdict", "verdict")
        counts = kinds.annotate(runs=Count("pk")).order_by("-runs", "old_verdict", "verdict")
        return cls(rejudgement.stage, **counted, kinds=tuple(counts))

    @property
    def can_be_applied(self) -> bool:
        return self.stage == Stage.OPEN and 0 < self.total == self.judged > self.failed

    @property
    def is_at_work(self) -> bool:
        """Whether it goes on by itself, so that a page should follow it."""
        return self.stage in CHANGING or (self.stage == Stage.OPEN and self.judged < self.total)

    @property
    def done(self) -> int:
        """Of `total`, in what it does now."""
        if self.stage == Stage.UNDOING:
            return self.total - self.failed - self.applied
        return self.applied if self.stage == Stage.APPLYING else self.judged

    @property
    def sentence(self) -> str:
        usable = self.total - self.failed
        return {
            Stage.OPEN: f"{self.judged} of {self.total} runs are judged again",
            Stage.APPLYING: f"Applying: {self.applied} of {usable} runs have their new results",
            Stage.APPLIED: f"Applied to {self.applied} runs",
            Stage.UNDOING: f"Taking back: {usable - self.applied} of {usable} runs have their old results again",
            Stage.UNDONE: f"Taken back: all {usable} runs have the results that they had",
        }[Stage(self.stage)]

    def as_json(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "sentence": self.sentence,
            "done": self.done,
            "total": self.total,
            "changed": self.changed,
            "at_work": self.is_at_work,
        }
