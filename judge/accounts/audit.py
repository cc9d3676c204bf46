"""Writing the audit: who did what, and when. `judge.classroom` shows it to administrators."""

from typing import Any

from django.db.models import Model

from judge.accounts.models import Action, AuditEntry, User


def record(actor: User | None, action: Action, subject: Model, words: str = "", **details: Any) -> AuditEntry:
    """Writes that `actor` did `action` to `subject`, which `words` name for a reader. No actor: a command.

    It belongs into the transaction of what it tells: then neither is there without the other. `details` are JSON.
    """
    return AuditEntry.objects.create(
        actor=actor.get_username() if actor else "",
        actor_key=actor.pk if actor else None,
        action=action,
        kind=subject._meta.model_name or "",
        key=str(subject.pk),
        subject=(words or str(subject))[:300],
        details=details,
    )
