"""The status page, for administrators."""

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.classroom.models import PackageDraft, RunState, VerificationRun
from judge.operations.models import Worker
from judge.operations.tests.test_metrics import SANDBOX, finished
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests.pages import links, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client, administrator: User) -> Client:
    client.force_login(administrator)
    return client


def test_a_new_site(page: Client) -> None:
    said = words(page.get("/status/"))

    assert "Worker none has given a sign of life for 20 s" in said
    assert "Submissions waiting 0 Running 0 Judged in the last hour 0 Verifications waiting 0" in said
    assert "No worker has given a sign of life since yesterday." in said


def test_a_site_at_work(page: Client, learner: User, problem: Problem) -> None:
    for judged in (0.2, 0.4, 9.0):
        finished(learner, problem, "accepted", waited=0.1, judged=judged)
    Submission.hand_in(learner, problem, RIGHT)
    Worker.objects.create(name="one:7", sandbox=SANDBOX)
    Worker.objects.create(name="two:8", fault="no sandbox answers at /run/sandbox.sock")
    Worker.objects.create(name="three:9", alive_at=timezone.now() - datetime.timedelta(minutes=1))
    Worker.objects.create(name="four:10", sandbox=SANDBOX, judges=False, verifies=True)

    said = words(page.get("/status/"))

    assert re.search(r"Submissions waiting 1 the oldest for \d+ s Running 0 Judged in the last hour 3", said)
    assert "From click to verdict, median 0.5 s 95 of 100 below 9.1 s" in said
    assert "accepted 3" in said
    assert "one:7 submissions alive since" in said
    assert "judges 2, 1 wait template 200.0 MiB, started 3 times" in said
    assert "no sandbox answers at /run/sandbox.sock" in said
    assert "three:9 submissions silent since" in said
    assert "four:10 verifications alive since" in said


def test_what_protects_the_sandboxes_is_said_once_for_those_that_are_alike(page: Client) -> None:
    for name in ("one:7", "two:8"):
        Worker.objects.create(name=name, sandbox=SANDBOX)
    alike = words(page.get("/status/"))
    assert alike.count("The network held by seccomp") == 1
    assert "What protects the sandbox The network held by seccomp No user namespace not permitted" in alike

    Worker.objects.create(name="open:9", sandbox={**SANDBOX, "protections": {"the network": []}})
    said = words(page.get("/status/"))
    assert "What protects the sandbox of one:7, two:8 The network held by seccomp" in said
    assert "What protects the sandbox of open:9 The network open" in said


def test_verifications_that_wait_and_those_that_failed(page: Client) -> None:
    draft = PackageDraft.objects.create(slug="halving")
    VerificationRun.objects.create(draft=draft, files={}, version="waits")
    failed = VerificationRun.objects.create(
        draft=draft, files={}, version="abcd", state=RunState.FAILED, attempt=3, fault="The worker went away."
    )

    response = page.get("/status/")

    assert re.search(r"Verifications waiting 1 the oldest for \d+ s Verifications running 0", words(response))
    assert "halving abcd 3 The worker went away." in words(response)
    assert f"/teach/verifications/{failed.pk}/" in links(response)


def test_the_last_faults_with_their_references(page: Client, learner: User, problem: Problem) -> None:
    submission = Submission.hand_in(learner, problem, RIGHT)
    Submission.objects.update(fault="The worker that held it went away.", reference="a1b2c3d4", attempt=2)

    response = page.get("/status/")

    assert "a1b2c3d4" in words(response)
    assert "halving 1 of ada 2 queued The worker that held it went away." in words(response)
    assert f"/teach/submissions/{submission.pk}/" in links(response)


def test_only_an_administrator_sees_it_and_its_link(client: Client, instructor: User, administrator: User) -> None:
    assert client.get("/status/").headers["Location"].startswith("/accounts/sign-in/")
    client.force_login(instructor)
    assert client.get("/status/").status_code == 403
    assert "/status/" not in links(client.get("/help/"))
    client.force_login(administrator)
    assert "/status/" in links(client.get("/help/"))
