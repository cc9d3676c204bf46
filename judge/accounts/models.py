from typing import Any, NoReturn

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone


class Role(models.TextChoices):
    LEARNER = "learner", "Learner"
    INSTRUCTOR = "instructor", "Instructor"
    ADMINISTRATOR = "administrator", "Administrator"


class User(AbstractUser):
    """Somebody with an account: a name and a password, no e-mail address."""

    role = models.CharField(max_length=16, choices=Role, default=Role.LEARNER)

    @property
    def teaches(self) -> bool:
        """May see other people's work and what learners have yet to unlock."""
        return self.role in (Role.INSTRUCTOR, Role.ADMINISTRATOR)

    @property
    def administers(self) -> bool:
        """May see why something of ours failed, and change roles."""
        return self.role == Role.ADMINISTRATOR

    def give_role(self, role: str) -> None:
        """Another role, with or without what goes along with it: Django's administration is for administrators."""
        self.role = role
        self.is_staff = self.is_superuser = self.administers
        self.save(update_fields=["role", "is_staff", "is_superuser"])


class Count(models.Model):
    """How often something has happened under a key since a moment; see `judge.accounts.throttle`."""

    key = models.CharField(max_length=120, unique=True)
    times = models.PositiveIntegerField()
    since = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.times}"


class Action(models.TextChoices):
    """What is written into the audit."""

    PUBLISHED = "published", "Published"
    UNPUBLISHED = "unpublished", "Unpublished"
    REJUDGED = "rejudged", "Judged again"
    APPLIED = "applied", "Applied a rejudgement"
    UNDONE = "undone", "Took a rejudgement back"
    ROLE = "role", "Changed a role"
    LOOKED = "looked", "Looked at a submission"
    VIEWED = "viewed", "Saw the site as a learner"


class AuditIsFixed(TypeError):
    """Somebody tried to change or delete what the audit says."""


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    """Entries can be made and read, and nothing else."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AuditIsFixed("Entries of the audit are neither changed nor deleted.")

    update = delete = bulk_create = bulk_update = update_or_create = _raw_delete = _update = _refuse
    aupdate = adelete = abulk_create = abulk_update = aupdate_or_create = _refuse


class AuditEntry(models.Model):
    """One thing that somebody did. Names are copied, so that an entry says the same when an account is gone.

    There is no foreign key: nothing that is deleted takes an entry with it or changes one. It is no protection against
    who can write to the database.
    """

    at = models.DateTimeField(default=timezone.now, db_index=True, editable=False)
    actor = models.CharField(max_length=150, db_index=True, blank=True)
    """The name of an account; empty for a command on the server."""
    actor_key = models.BigIntegerField(null=True)
    action = models.CharField(max_length=16, choices=Action, db_index=True)
    kind = models.CharField(max_length=40)
    """The model of what it was done to."""
    key = models.CharField(max_length=64)
    """The primary key of what it was done to."""
    subject = models.CharField(max_length=300)
    """What it was done to, in words."""
    details = models.JSONField(default=dict)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        default_permissions = ("view",)
        base_manager_name = "objects"

    def __str__(self) -> str:
        return f"{self.actor or 'a command'}: {self.get_action_display()} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AuditIsFixed("An entry of the audit is written once.")
        kwargs["force_insert"] = True
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AuditIsFixed("An entry of the audit is not deleted.")

    @property
    def details_in_order(self) -> list[tuple[str, Any]]:
        """What was before comes first, then the names in order: not every database keeps the order of the writing."""
        return sorted(self.details.items(), key=lambda detail: (detail[0] != "old", detail[0]))
