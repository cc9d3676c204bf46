"""What is stored of submissions: drafts, runs with their checks and diagnoses, what reports count of them, and runs
that are judged again."""

from judge.submissions.models.draft import Draft
from judge.submissions.models.rejudgement import CHANGING, CanNotApply, Rejudged, Rejudgement, Stage
from judge.submissions.models.standing import Standing
from judge.submissions.models.submission import (
    MAX_UNFINISHED,
    UNFINISHED,
    CheckResult,
    Diagnosis,
    State,
    Submission,
    SubmissionQuerySet,
    TooFast,
    TooManyUnfinished,
)

__all__ = [
    "CHANGING",
    "MAX_UNFINISHED",
    "UNFINISHED",
    "CanNotApply",
    "CheckResult",
    "Diagnosis",
    "Draft",
    "Rejudged",
    "Rejudgement",
    "Stage",
    "Standing",
    "State",
    "Submission",
    "SubmissionQuerySet",
    "TooFast",
    "TooManyUnfinished",
]
