from django.contrib.auth.models import AbstractUser
from django.db import models


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


class Count(models.Model):
    """How often something has happened under a key since a moment; see `judge.accounts.throttle`."""

    key = models.CharField(max_length=120, unique=True)
    times = models.PositiveIntegerField()
    since = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.times}"
