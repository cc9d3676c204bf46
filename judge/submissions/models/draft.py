from django.db import models
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import Problem


class Draft(models.Model):
    """What somebody has in the editor for a problem."""

    user = models.ForeignKey(User, models.CASCADE, related_name="drafts")
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="drafts")
    source = models.TextField(blank=True)
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "problem"], name="one_draft_per_user_and_problem")]

    def __str__(self) -> str:
        return f"{self.user} on {self.problem}"

    @classmethod
    def keep(cls, user: User, problem: Problem, source: str) -> "Draft":
        values = {"source": source, "saved_at": timezone.now()}
        return cls.objects.update_or_create(user=user, problem=problem, defaults=values)[0]
