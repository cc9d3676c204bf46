"""What a test does with the site's database, in a process of its own: `python -m tests.outage.inside COMMAND ...`.

prepare USERS       the tables, the problem *Halving*, people, and sessions of some of them (printed)
feed COUNT          hands in so many submissions, ten a second, whatever is away meanwhile
unfinished          prints how many are not finished
taken               waits until none is queued, and prints how many are running at that moment
result              prints each submission as a line of JSON
verify              asks for a verification of the problem *Momentum Contrast*, which takes minutes, and prints its id
verification ID     prints what became of it, as JSON
later ID            makes its last sign of life older than any that counts
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import django

django.setup()

from django.conf import settings  # noqa: E402 (settings come first)
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import Error, connection, transaction  # noqa: E402

from judge import clock  # noqa: E402
from judge.accounts.models import User  # noqa: E402
from judge.catalog.models import Problem  # noqa: E402
from judge.classroom import tasks as verifications  # noqa: E402
from judge.classroom.models import PackageDraft, VerificationRun  # noqa: E402
from judge.classroom.models.verification import DEAD_AFTER  # noqa: E402
from judge.submissions.models import UNFINISHED, State, Submission, TooManyUnfinished  # noqa: E402
from judge.submissions.tasks import ring_on_commit  # noqa: E402
from judge.tests import halving  # noqa: E402
from tests.outage.sources import source  # noqa: E402

SESSIONS = 20
PATIENCE_SECONDS = 120
PACE_SECONDS = 0.1
"""Between two submissions, so that there is always one to hit."""


def prepare(people: int) -> None:
    # Submissions here sleep, for that there is always one to hit, on machines that are busy with the killing.
    limits = "check_seconds = 1.0\ntotal_seconds = 5.0", "check_seconds = 10.0\ntotal_seconds = 30.0"
    assert limits[0] in halving.FILES["problem.toml"]
    files = {**halving.FILES, "problem.toml": halving.FILES["problem.toml"].replace(*limits)}
    for name, text in files.items():
        file = Path(settings.PROBLEMS) / "halving" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    call_command("migrate", verbosity=0)
    call_command("load_problems", stdout=sys.stderr)
    User.objects.bulk_create(User(username=f"learner-{number}", password="!") for number in range(people))
    for user in User.objects.order_by("pk")[:SESSIONS]:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        print(session.session_key)


def feed(count: int) -> None:
    problem = Problem.objects.get()
    users = list(User.objects.order_by("pk")[SESSIONS:])
    turn = 0
    for number in range(count):
        time.sleep(PACE_SECONDS)
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            assert time.monotonic() < end, "nothing more can be handed in"
            turn += 1
            try:
                with transaction.atomic():
                    submission = Submission.hand_in(users[turn % len(users)], problem, source(number))
                    ring_on_commit(submission.pk)
                break
            except TooManyUnfinished:
                time.sleep(0.001)
            except Error:
                connection.close()
                time.sleep(0.2)


def unfinished() -> None:
    try:
        print(Submission.objects.filter(state__in=UNFINISHED).count())
    except Error:
        print("unknown")


def taken() -> None:
    """In one process: starting one for each look takes longer than a submission does on a busy machine."""
    end = time.monotonic() + PATIENCE_SECONDS
    while Submission.objects.filter(state=State.QUEUED).exists():
        assert time.monotonic() < end, "some are not taken"
        time.sleep(0.02)
    print(Submission.objects.filter(state=State.RUNNING).count())


def result() -> None:
    for submission in Submission.objects.prefetch_related("checks"):
        values = {
            "id": str(submission.pk),
            "source": submission.source,
            "state": submission.state,
            "verdict": submission.verdict,
            "attempt": submission.attempt,
            "fault": submission.fault,
            "checks": [check.order for check in submission.checks.all()],
        }
        print(json.dumps(values))


def verify() -> None:
    folder = Path(settings.BASE_DIR) / "problems" / "moco"
    files = {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.*") if file.suffix != ".pyc"}
    user = User.objects.order_by("pk")[0]
    run = VerificationRun.ask(PackageDraft.start("moco", files, user), user)
    verifications.ring(run.pk)
    print(run.pk)


def verification(run_id: str) -> None:
    run = VerificationRun.objects.get(pk=run_id)
    print(json.dumps({name: getattr(run, name) for name in ("state", "attempt", "done", "fault")}))


def later(run_id: str) -> None:
    VerificationRun.objects.filter(pk=run_id).update(alive_at=clock.now() - 2 * DEAD_AFTER)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["prepare", people]:
            prepare(int(people))
        case ["feed", count]:
            feed(int(count))
        case ["unfinished"]:
            unfinished()
        case ["taken"]:
            taken()
        case ["result"]:
            result()
        case ["verify"]:
            verify()
        case ["verification", run]:
            verification(run)
        case ["later", run]:
            later(run)
