"""What is kept of a run, as values of the database: of one that is judged, and of one that is judged again."""

from typing import Any

from judge.submissions.outcomes import NOT_RUN, PASSED, status_of
from judge.submissions.text import inert
from sandbox import protocol


def check_values(order: int, result: protocol.CheckResult) -> dict[str, Any]:
    """The fields of a `CheckResult`, without its submission."""
    return {
        "order": order,
        "check_id": result.id,
        "status": result.status.value,
        "message": inert(result.message),
        "hint": inert(result.hint),
        "details": inert(result.details),
        "printed": inert(result.printed),
        "ms": result.ms,
    }


def run_values(outcome: protocol.Outcome, outcomes: str, planned: int) -> dict[str, Any]:
    """The fields of a `Submission` that say how its run ended.

    Args:
        outcomes: the letters of the checks that were reported, in their order.
        planned: how many checks were to be reported.
    """
    total = max(planned, len(outcomes))
    stopped = outcome.verdict.value
    return {
        "verdict": outcome.verdict.value,
        "message": inert(outcome.message),
        "line": outcome.line,
        "printed": inert(outcome.printed),
        "ms": outcome.ms,
        "total": total,
        "passed": outcomes.count(PASSED),
        "not_run": outcomes.count(NOT_RUN) + total - len(outcomes),
        "stopped_in": next((order for order, letter in enumerate(outcomes) if status_of(letter) == stopped), None),
        "outcomes": outcomes.ljust(total, NOT_RUN),
    }
