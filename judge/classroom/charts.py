"""What the island `chart` draws: values, words for who does not see it, and the table behind it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge.classroom.activity import Activity
from judge.classroom.reports import CheckRow, ProblemReport
from judge.submissions.models import Submission

_MOST_ATTEMPTS = 30
"""More are one bar at the end."""


def days_chart(activity: Activity) -> dict[str, Any]:
    """Runs of each day, by how they ended."""
    rows = activity.rows()
    busiest = max(rows, key=lambda row: row["solved"] + row["failed"], default=None)
    words = "No run yet."
    if busiest:
        words = f"{sum(activity.verdicts.values())} runs in {len(rows)} days; most of them on {busiest['day']}."
    return {
        "kind": "days",
        "id": "chart-days",
        "file": "runs-by-day",
        "title": "Runs by day",
        "alternative": words,
        "columns": ["Day (UTC)", "Solved", "Not solved", "Our fault"],
        "rows": [[row["day"], row["solved"], row["failed"], row["faults"]] for row in rows],
    }


def attempts_chart(report: ProblemReport, row: CheckRow | None = None) -> dict[str, Any]:
    """Learners by the attempts that they needed to solve the problem, or to pass a check."""
    counts: Mapping[int, int] = row.attempts if row else report.attempts_to_solve
    median = row.median_attempts if row else report.median_attempts
    what = "pass this check" if row else "solve it"
    done = sum(counts.values())
    words = f"{done} of {report.learners} learners did"
    words += f"; half of them within {median:g} attempts." if median else "."
    capped: Counter[int] = Counter()
    for attempts, learners in counts.items():
        capped[min(attempts, _MOST_ATTEMPTS)] += learners
    bars = range(1, max(capped, default=0) + 1)
    return {
        "kind": "attempts",
        "id": "chart-attempts",
        "file": "attempts",
        "title": f"Attempts to {what}",
        "alternative": words,
        "columns": ["Attempts", "Learners"],
        "rows": [[f"{bar} or more" if bar == _MOST_ATTEMPTS else str(bar), capped[bar]] for bar in bars],
        "median": median,
    }


def timeline_chart(problem: str, runs: Sequence[Submission]) -> dict[str, Any]:
    """One learner's runs to a problem: checks passed over time."""
    return {
        "kind": "timeline",
        "id": f"chart-{problem}",
        "file": f"timeline-{problem}",
        "title": "Checks passed, run by run",
        "alternative": _told(runs),
        "columns": ["Sent (UTC)", "Run", "Passed", "Checks", "Ended"],
        "rows": [
            [run.created_at.isoformat(timespec="seconds"), run.number, run.passed, run.total, run.verdict or run.state]
            for run in runs
        ],
    }


def _told(runs: Iterable[Submission]) -> str:
    ended = [run for run in runs if run.total]
    if not ended:
        return "No run has ended yet."
    first, last = ended[0], ended[-1]
    before, after = (f"{run.passed} of {run.total} checks in run {run.number}" for run in (first, last))
    return f"From {before} to {after}." if len(ended) > 1 else f"{before}."
