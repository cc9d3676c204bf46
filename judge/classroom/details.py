"""What the judge knows of one run: who judged it by what, what it had and what it took."""

import dataclasses
import datetime

from judge.submissions.models import CheckResult, Submission


@dataclasses.dataclass(frozen=True)
class Used:
    """A limit, and what of it was used; None where it is not measured."""

    name: str
    limit: float
    used: float | None
    unit: str

    @property
    def share(self) -> float | None:
        return None if self.used is None else self.used / self.limit


@dataclasses.dataclass(frozen=True)
class JudgeDetails:
    waited: datetime.timedelta | None
    """From handing in until the sandbox took it."""
    judged: datetime.timedelta | None
    """From then until the outcome was stored."""
    slowest: CheckResult | None
    limits: tuple[Used, ...]

    @classmethod
    def of(cls, submission: Submission) -> "JudgeDetails":
        limits = submission.version.package.limits
        slowest = submission.checks.order_by("-ms").first()
        printed = sum(len(text.encode()) for text in submission.checks.values_list("printed", flat=True))
        printed += len(submission.printed.encode())
        waited = submission.started_at - submission.created_at if submission.started_at else None
        ended = submission.finished_at if submission.started_at else None
        total = None if submission.ms is None else submission.ms / 1000
        return cls(
            waited,
            ended - submission.started_at if ended and submission.started_at else None,
            slowest,
            (
                Used("One check", limits.check_seconds, slowest.ms / 1000 if slowest else None, "s"),
                Used("The whole run", limits.total_seconds, total, "s"),
                Used("Output", limits.output_kb, printed / 1024, "kB"),
                Used("Memory", limits.memory_mb, None, "MB"),
            ),
        )
