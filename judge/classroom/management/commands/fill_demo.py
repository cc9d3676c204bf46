import datetime
import random
import time
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from judge.accounts.models import Role, User
from judge.catalog.models import PackageVersion, Problem
from judge.classroom.demo import story, writing
from judge.classroom.demo.pool import ProblemPool, judged_pool
from judge.submissions.models import Submission
from sandbox.client import SandboxUnavailable, running_server


class Command(BaseCommand):
    help = (
        "Fills an empty site with learners and their runs, to look at reports or to measure them. Every result comes "
        "from the real sandbox. The same seed gives the same class."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--learners", type=int, default=1000)
        parser.add_argument("--submissions", type=int, default=100_000)
        parser.add_argument("--days", type=int, default=35, help="how long the term has lasted (default: %(default)s)")
        parser.add_argument("--end", type=datetime.datetime.fromisoformat, help="when it is now (default: now)")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--problem", action="append", metavar="SLUG", help="only this one; may be repeated")
        parser.add_argument(
            "--anyway", action="store_true", help="adds to a site that people use; there is no way back"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["anyway"] and _is_used():
            raise CommandError(
                "People use this site, and this would mix them with learners who never were. Take an empty database: "
                "PAPERJUDGE_VAR=/some/empty/folder. If you mean it, add --anyway."
            )
        wanted = options["problem"]
        problems = [problem for problem in Problem.objects.all().in_order() if not wanted or problem.slug in wanted]
        if not problems:
            raise CommandError("No such problem is published. Run `python manage.py load_problems` first.")
        end = options["end"] or timezone.now()
        end = end if timezone.is_aware(end) else timezone.make_aware(end)
        started = time.monotonic()
        rng = random.Random(options["seed"])
        try:
            with running_server(settings.SANDBOX_SOCKET) as client:
                pools = [judged_pool(problem.package, client, rng, self.stdout.write) for problem in problems]
        except SandboxUnavailable as error:
            raise CommandError(f"The sandbox can't be used: {error}") from error
        with transaction.atomic():
            people = _people(options["learners"], end - datetime.timedelta(days=options["days"] + 3))
            ages = {
                pool.package.slug: _ages(pool, problem, end, options["days"])
                for pool, problem in zip(pools, problems, strict=True)
            }
        histories = story.tell(pools, options["learners"], options["submissions"], end, options["days"], rng)
        written = writing.write(histories, people, ages, rng)
        seconds = time.monotonic() - started
        self.stdout.write(f"{len(people)} learners, {written} submissions to {len(pools)} problems in {seconds:.0f} s")


def _is_used() -> bool:
    return User.objects.exclude(role=Role.ADMINISTRATOR).exists() or Submission.objects.exists()


def _people(count: int, since: datetime.datetime) -> list[User]:
    """Learners who can't sign in: nobody knows a password."""
    taken = set(User.objects.values_list("username", flat=True))
    names = [name for name in story.names(count + len(taken)) if name not in taken][:count]
    password = make_password(None)
    return User.objects.bulk_create(
        (User(username=name, password=password, date_joined=since) for name in names), batch_size=500
    )


def _ages(pool: ProblemPool, problem: Problem, end: datetime.datetime, days: int) -> writing.Ages:
    """The problem with a version before the current one, until the middle of the term."""
    assert problem.current is not None
    PackageVersion.objects.filter(pk=problem.current.pk).update(planned=list(pool.planned))
    current = writing.Judged.by(problem.current, pool.planned, pool.entries)
    begin = end - datetime.timedelta(days=days)
    older = writing.older_version(pool, problem, begin)
    middle = begin + datetime.timedelta(days=days * 0.6)
    return writing.Ages(problem, middle if older else begin, older or current, current)
