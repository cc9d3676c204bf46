import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from judge.accounts.audit import record
from judge.accounts.models import Action
from judge.catalog.models import Problem
from judge.submissions.models import CanNotApply, Rejudged, Rejudgement, Stage
from judge.submissions.rejudging import judge_one
from sandbox.client import SandboxUnavailable, running_server
from sandbox.protocol import Verdict

POLL_SECONDS = 0.2


class Command(BaseCommand):
    help = (
        "Judges submissions again by the current version of a problem, and says whose verdict would change. Nothing is "
        "changed until it is applied, and that can be undone. It may be stopped and run again at any time."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--preview", action="store_true", help="changes nothing (the default)")
        what.add_argument("--apply", action="store_true", help="gives the submissions their new results")
        what.add_argument("--undo", action="store_true", help="takes the last one that was applied back")

    def handle(self, *args: Any, **options: Any) -> None:
        problem = Problem.objects.filter(slug=options["slug"], current__isnull=False).first()
        if problem is None:
            raise CommandError(f"No problem {options['slug']} is published.")
        try:
            if options["undo"]:
                self._undo(problem)
            else:
                self._judge_again(problem, apply=options["apply"])
        except CanNotApply as reason:
            raise CommandError(str(reason)) from reason
        except SandboxUnavailable as error:
            raise CommandError(f"The sandbox can't be used: {error}") from error

    def _judge_again(self, problem: Problem, *, apply: bool) -> None:
        rejudgement = Rejudgement.open(problem)
        total = rejudgement.items.count()
        if rejudgement.waiting.exists():
            with running_server(settings.SANDBOX_SOCKET) as client:
                while waiting := rejudgement.waiting.count():
                    self._tell(total - waiting, total)
                    if not judge_one(client, rejudgement):
                        time.sleep(POLL_SECONDS)  # workers have the rest
                self._tell(total, total)
        self._show(rejudgement, total)
        if apply:
            with transaction.atomic():
                rejudgement.apply()
                record(None, Action.APPLIED, rejudgement)
            self.stdout.write("Applied. It can be taken back with --undo.")
        elif total:
            self.stdout.write("Nothing is changed yet. To change it: --apply")

    def _show(self, rejudgement: Rejudgement, total: int) -> None:
        changes = rejudgement.changes()
        failed = rejudgement.items.filter(verdict=Verdict.JUDGE_ERROR).count()
        self.stdout.write(f"{rejudgement.problem}: {total} runs judged again by version {rejudgement.version}")
        for item in changes:
            self.stdout.write(f"  {_change(item)}")
        self.stdout.write(f"{len(changes)} would change, {total - len(changes) - failed} would not.")
        if failed:
            self.stdout.write(f"{failed} could not be judged, and stay as they are; the log says why.")

    def _undo(self, problem: Problem) -> None:
        applied = Rejudgement.objects.filter(problem=problem, stage=Stage.APPLIED)
        last = applied.order_by("-applied_at").first()
        if last is None:
            raise CommandError(f"No rejudgement of {problem} is applied.")
        with transaction.atomic():
            last.undo()
            record(None, Action.UNDONE, last)
        self.stdout.write(f"{problem}: {last.items.count()} runs have the results back that they had.")

    def _tell(self, done: int, total: int) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{done} of {total}", ending="\n" if done == total else "")
            self.stderr.flush()


def _change(item: Rejudged) -> str:
    submission = item.submission
    old, new = (verdict.replace("_", " ") for verdict in (item.old_verdict, item.verdict))
    run = item.after["run"]
    counts = f"{submission.passed} of {submission.total}, then {run['passed']} of {run['total']} checks"
    return f"{submission.user.username}, run {submission.number}: {old} -> {new} ({counts})"
