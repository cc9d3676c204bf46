import dataclasses
from typing import TYPE_CHECKING

from django.db import models

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.submissions.standings import CountedRun, Plans, Tally
from sandbox.protocol import Verdict

if TYPE_CHECKING:
    from judge.submissions.models.submission import Submission

_COUNTED = [field.name for field in dataclasses.fields(Tally)]


class Standing(models.Model):
    """Where somebody stands with a problem, check by check: what reports are made of.

    It is written in the transaction that writes a result, so that no report counts millions of rows.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="standings")
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="standings")
    first = models.ForeignKey("Submission", models.CASCADE, related_name="+")
    latest = models.ForeignKey("Submission", models.CASCADE, related_name="+")
    latest_at = models.DateTimeField()
    """When the latest was handed in."""
    version = models.ForeignKey(PackageVersion, models.PROTECT, related_name="+")
    """Judged the latest; its plan is the order of the checks. For the rest see `judge.submissions.standings.Tally`."""
    latest_number = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    attempts_to_solve = models.PositiveIntegerField(null=True)
    stuck = models.PositiveIntegerField(default=0)
    first_outcomes = models.TextField(blank=True)
    latest_outcomes = models.TextField(blank=True)
    attempts_to_pass = models.JSONField(default=list)
    failed_in_a_row = models.JSONField(default=list)
    mistakes = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["problem", "user"], name="one_standing_per_user_and_problem")]

    def __str__(self) -> str:
        return f"{self.user} on {self.problem}: {self.attempts} attempts"

    @classmethod
    def record(cls, submission: "Submission", *, again: bool = False) -> None:
        """Counts `submission`, which has just ended; `again` counts all runs anew, because others changed too.

        Called in the transaction that wrote the result.
        """
        if submission.verdict == Verdict.JUDGE_ERROR and not again:
            return
        counted = type(submission).objects.filter(user=submission.user_id, problem=submission.problem_id).counted()
        who = {"user_id": submission.user_id, "problem_id": submission.problem_id}
        place = {"first": submission, "latest": submission, "latest_at": submission.created_at}
        cls.objects.get_or_create(**who, defaults={**place, "version_id": submission.version_id})
        standing = cls.objects.select_for_update().get(**who)
        is_next = submission.number > standing.latest_number > 0
        tally = standing._tally() if is_next and not again else Tally()
        new = counted.filter(number__gt=tally.latest_number).order_by("number").prefetch_related("diagnoses")
        plans = _Plans()
        for run in new.only("number", "verdict", "outcomes", "version", "created_at").iterator(chunk_size=500):
            tally.add(_counted_run(run), plans)
            if tally.attempts == 1:
                standing.first = run
            standing.latest, standing.latest_at = run, run.created_at
        if tally.attempts == 0:
            standing.delete()
            return
        standing._keep(tally)

    def _tally(self) -> Tally:
        values = {name: getattr(self, name) for name in _COUNTED if name != "version"}
        return Tally(version=self.version_id, **values)

    def _keep(self, tally: Tally) -> None:
        self.version_id = tally.version
        for name in _COUNTED:
            if name != "version":
                setattr(self, name, getattr(tally, name))
        self.save()


class _Plans(Plans):
    """Asks the database for each version once."""

    def __missing__(self, version: int) -> list[str]:
        planned = PackageVersion.objects.values_list("planned", flat=True).get(pk=version)
        self[version] = [check["id"] for check in planned]
        return self[version]


def _counted_run(run: "Submission") -> CountedRun:
    diagnoses = [(diagnosis.mistake, diagnosis.checks) for diagnosis in run.diagnoses.all()]
    return CountedRun(run.number, run.verdict == Verdict.ACCEPTED, run.version_id, run.outcomes, diagnoses)
