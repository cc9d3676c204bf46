"""What a test does with the site's database, in a process of its own: `python -m tests.outage.inside COMMAND ...`.

prepare USERS       the tables, the problem *Halving*, people, and sessions of some of them (printed)
feed COUNT          hands in so many submissions, ten a second, whatever is away meanwhile
unfinished          prints how many are not finished
result              prints each submission as a line of JSON
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

from judge.accounts.models import User  # noqa: E402
from judge.catalog.models import Problem  # noqa: E402
from judge.submissions.models import UNFINISHED, Submission, TooManyUnfinished  # noqa: E402
from judge.submissions.tasks import ring_on_commit  # noqa: E402
from judge.tests import halving  # noqa: E402
from tests.outage.sources import source  # noqa: E402

SESSIONS = 20
PATIENCE_SECONDS = 120
PACE_SECONDS = 0.1
"""Between two submissions, so that there is always one to hit."""


def prepare(people: int) -> None:
    for name, text in halving.FILES.items():
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


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["prepare", people]:
            prepare(int(people))
        case ["feed", count]:
            feed(int(count))
        case ["unfinished"]:
            unfinished()
        case ["result"]:
            result()
