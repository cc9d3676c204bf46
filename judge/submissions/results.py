"""What is kept of a run, as values of the database: of one that is judged, and of one that is judged again."""

from collections.abc import Sequence
from typing import Any

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


def run_values(outcome: protocol.Outcome, statuses: Sequence[protocol.Status], planned: int) -> dict[str, Any]:
    """The fields of a `Submission` that say how its run ended.

    Args:
        statuses: of the checks that were reported, in their order.
        planned: how many checks were to be reported.
    """
    total = max(planned, len(statuses))
    stopped = outcome.verdict.value
    return {
        "verdict": outcome.verdict.value,
        "message": inert(outcome.message),
        "line": outcome.line,
        "printed": inert(outcome.printed),
        "ms": outcome.ms,
        "total": total,
        "passed": statuses.count(protocol.Status.PASSED),
        "not_run": statuses.count(protocol.Status.NOT_RUN) + total - len(statuses),
        "stopped_in": next((order for order, status in enumerate(statuses) if status.value == stopped), None),
    }
