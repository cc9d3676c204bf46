"""What is stored of the workspace: packages that are being written, and what was found of them."""

from judge.classroom.models.drafts import (
    BadFile,
    CanNotPublish,
    Conflict,
    DraftFile,
    PackageDraft,
)
from judge.classroom.models.verification import RunState, VerificationRun

__all__ = ["BadFile", "CanNotPublish", "Conflict", "DraftFile", "PackageDraft", "RunState", "VerificationRun"]
