import dataclasses
from typing import Any

from django.db import migrations
from django.db.models import Q

from judge.submissions.outcomes import NOT_RUN, outcomes_of
from judge.submissions.standings import CountedRun, Tally


def count(apps: Any, schema_editor: Any) -> None:
    """What was handed in before gets its letters and standings; what was applied or undone says so."""
    Submission = apps.get_model("submissions", "Submission")
    Rejudgement = apps.get_model("submissions", "Rejudgement")
    Rejudged = apps.get_model("submissions", "Rejudged")
    Rejudgement.objects.filter(applied_at__isnull=False).update(stage="applied")
    Rejudgement.objects.filter(undone_at__isnull=False).update(stage="undone")
    Rejudged.objects.filter(rejudgement__stage="applied").exclude(verdict="judge_error").update(is_applied=True)
    finished = Submission.objects.filter(state="finished").filter(Q(outcomes=""), total__gt=0)
    for submission in finished.only("total").iterator(chunk_size=500):
        checks = submission.checks.order_by("order").only("status", "message", "details")
        submission.outcomes = outcomes_of(checks).ljust(submission.total, NOT_RUN)
        submission.save(update_fields=["outcomes"])
    counted = Submission.objects.filter(state="finished").exclude(verdict="judge_error")
    for user, problem in counted.values_list("user", "problem").distinct():
        _stand(apps, counted.filter(user=user, problem=problem).order_by("number"), user, problem)


def _stand(apps: Any, counted: Any, user: int, problem: int) -> None:
    runs = list(counted.only("number", "verdict", "outcomes", "version", "created_at"))
    versions = apps.get_model("catalog", "PackageVersion").objects.filter(pk__in={run.version_id for run in runs})
    plans = {version.pk: [check["id"] for check in version.planned] for version in versions.only("planned")}
    tally = Tally()
    for run in runs:
        diagnoses = list(run.diagnoses.values_list("mistake", "checks"))
        tally.add(CountedRun(run.number, run.verdict == "accepted", run.version_id, run.outcomes, diagnoses), plans)
    values = dataclasses.asdict(tally)
    apps.get_model("submissions", "Standing").objects.create(
        user_id=user,
        problem_id=problem,
        first=runs[0],
        latest=runs[-1],
        latest_at=runs[-1].created_at,
        version_id=values.pop("version"),
        **values,
    )


class Migration(migrations.Migration):
    dependencies = [("submissions", "0006_reports")]
    operations = [migrations.RunPython(count, migrations.RunPython.noop)]
