"""What is stored of submissions: drafts, runs with their checks and diagnoses, and runs that are judged again."""

from judge.submissions.models.rejudgement import CanNotApply, Rejudged, Rejudgement
from judge.submissions.models.submission import (
    MAX_UNFINISHED,
    UNFINISHED,
    CheckResult,
    Diagnosis,
    Draft,
    State,
    Submission,
    SubmissionQuerySet,
    TooFast,
    TooManyUnfinished,
)

__all__ = [
    "MAX_UNFINISHED",
    "UNFINISHED",
    "CanNotApply",
    "CheckResult",
    "Diagnosis",
    "Draft",
    "Rejudged",
    "Rejudgement",
    "State",
    "Submission",
    "SubmissionQuerySet",
    "TooFast",
    "TooManyUnfinished",
]
