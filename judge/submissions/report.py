"""What a page or an island is told about a submission: one dictionary, the same for the server's templates and as JSON.

The words for a learner are made here, and nowhere else.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from judge.accounts.models import User
from judge.catalog.markdown import render, render_inline
from judge.submissions.models import CheckResult, State, Submission
from judge.submissions.named import headline, named
from judge.submissions.trajectories import drawn_runs
from sandbox.protocol import Verdict

_STOPPED = {
    Verdict.RUNTIME_ERROR: "an error",
    Verdict.TIME_LIMIT: "out of time",
    Verdict.MEMORY_LIMIT: "out of memory",
    Verdict.OUTPUT_LIMIT: "too much output",
    Verdict.SANDBOX_VIOLATION: "something that a submission may not do",
}
_FAULTS_OF_AN_OUTAGE = 3
"""After so many faults in a row it is no longer a restart."""


def state_of(submission: Submission, viewer: User, after: int = 0) -> dict[str, Any]:
    """The report as JSON values: the checks from the order `after` on, and with `after=0` the plan too."""
    checks = list(submission.checks.filter(order__gte=after))
    state = _head(submission, viewer)
    found = submission.diagnoses.all() if submission.state == State.FINISHED and not submission.solved else ()
    state["diagnoses"] = named(submission.version.package, submission.version.planned, found)
    state["diagnoses_headline"] = headline(state["diagnoses"])
    state["checks"] = [_check(submission, result) for result in checks]
    state["runs"] = _runs(submission, checks if after == 0 else None)
    state["planned"] = [
        {"order": order, "id": check["id"], "title": check["title"], "section": check["section"]}
        for order, check in enumerate(submission.version.planned)
        if after == 0
    ]
    return state


def _runs(submission: Submission, checks: Sequence[CheckResult] | None) -> list[dict[str, Any]]:
    """The drawn runs of a finished submission; `checks` are all of its results, if they are known already."""
    package = submission.version.package
    if submission.state != State.FINISHED or not package.runs:
        return []
    if checks is None:
        checks = list(submission.checks.filter(check_id__in=[run.check for run in package.runs]))
    return drawn_runs(package, checks)


def _head(submission: Submission, viewer: User) -> dict[str, Any]:
    waiting = submission.started_at is None and submission.state != State.FINISHED
    finished = submission.state == State.FINISHED
    solved = submission.solved
    return {
        "id": str(submission.pk),
        "problem": submission.problem.slug,
        "number": submission.number,
        "url": reverse("report", args=[submission.pk]),
        "state": "queued" if waiting else str(submission.state),
        "place": submission.place_in_line if submission.state == State.QUEUED else None,
        "verdict": submission.verdict or None,
        "sentence": sentence(submission),
        "message": message(submission, viewer),
        "line": submission.line,
        "printed": submission.printed,
        "total": submission.total,
        "counts": submission.counts,
        "attempt": submission.attempt,
        "judge_fault": submission.verdict == Verdict.JUDGE_ERROR or (submission.faults > 0 and not finished),
        "ms": submission.ms,
        "typical_ms": None if finished else Submission.typical_ms(submission.problem),
        "created_at": submission.created_at.isoformat(),
        "solved": solved,
        "notes_url": reverse("notes", args=[submission.problem.slug]) if solved else None,
        "reference": submission.reference if submission.faults else "",
        "sections": [dataclasses.asdict(section) for section in submission.version.package.sections],
    }


def sentence(submission: Submission) -> str:
    """The first line of a report."""
    if submission.state != State.FINISHED:
        return _waiting_sentence(submission)
    passed = f"{submission.passed} of {submission.total} checks passed"
    if submission.verdict == Verdict.JUDGE_ERROR:
        return "Our fault: this run could not be judged. It does not count"
    if submission.verdict == Verdict.ACCEPTED:
        return "Solved" if submission.passed == submission.total else f"Solved: {passed}, and all required ones"
    reason = _STOPPED.get(Verdict(submission.verdict))
    if reason is None:
        return passed
    if submission.not_run == submission.total:
        return f"Stopped: {reason} while your file was loaded"
    where = "" if submission.stopped_in is None else f" in check {submission.stopped_in + 1}"
    return f"Stopped: {reason}{where}" if submission.not_run else f"{passed}; {reason}{where}"


def _waiting_sentence(submission: Submission) -> str:
    if submission.faults and submission.started_at is None:
        if submission.faults < _FAULTS_OF_AN_OUTAGE:
            return "Our fault: the judge restarted; trying again"
        return "Our fault: judging is down; your code is saved"
    if submission.started_at is not None:
        return f"Running: {sum(submission.counts.values())} of {submission.total} checks"
    if submission.state == State.RUNNING:
        return "Starting"
    place = submission.place_in_line
    return "Next in line" if place == 1 else f"Number {place} in line"


def message(submission: Submission, viewer: User) -> str:
    """More about the whole run. What is the matter with the judge, only an administrator is told."""
    if not submission.faults:
        return submission.message
    if viewer.administers:
        return f"{submission.fault} Reference {submission.reference}. Look for it in the worker's log."
    if submission.state == State.FINISHED:
        return (
            "Your code is saved, and the run does not count. Run it again in a few minutes; if this comes again, tell "
            f"your instructor the reference {submission.reference}."
        )
    return "Your code is saved, and it will be judged without you doing anything."


def _check(submission: Submission, result: CheckResult) -> dict[str, Any]:
    planned = submission.version.planned
    info: dict[str, Any] = planned[result.order] if result.order < len(planned) else {}
    anchor = info.get("sentence")
    html = render(submission.version.package.statement).anchors.get(anchor) if anchor else None
    return {
        "order": result.order,
        "id": result.check_id,
        "title": info.get("title", result.check_id),
        "section": info.get("section", ""),
        "sentence": {"id": anchor, "html": html} if html else None,
        "required": info.get("required", True),
        "status": result.status,
        "message": result.message,
        "hint_html": render_inline(result.hint) if result.hint else "",
        "details": _comparison(result.details),
        "printed": result.printed,
        "ms": result.ms,
    }


def _comparison(details: dict[str, Any] | None) -> dict[str, Any] | None:
    """The details without the run that is among them: what is drawn of it is in `runs`."""
    if details is None or details.get("kind") == "trajectory":
        return None
    return {name: value for name, value in details.items() if name != "trajectory"}
