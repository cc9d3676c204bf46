"""The status page, for administrators."""

import datetime

import pytest
from django.test import Client
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import Problem
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
    assert "0 waiting, 0 running. In the last hour none was judged." in said
    assert "No worker has given a sign of life since yesterday." in said


def test_a_site_at_work(page: Client, learner: User, problem: Problem) -> None:
    for judged in (0.2, 0.4, 9.0):
        finished(learner, problem, "accepted", waited=0.1, judged=judged)
    Submission.hand_in(learner, problem, RIGHT)
    Worker.objects.create(name="one:7", sandbox=SANDBOX)
    Worker.objects.create(name="two:8", fault="no sandbox answers at /run/sandbox.sock")
    Worker.objects.create(name="three:9", alive_at=timezone.now() - datetime.timedelta(minutes=1))

    said = words(page.get("/status/"))

    assert "1 waiting (the oldest for 0 s), 0 running." in said
    assert "In the last hour 3 were judged; from the click to the verdict half took less than 0.5 s" in said
    assert "and 95 of 100 less than 9.1 s." in said
    assert "accepted 3" in said
    assert "one:7 Alive since" in said
    assert "Its sandbox judges 2, and 1 wait there. The template takes 200.0 MiB and was started 3 times." in said
    assert "The network held by seccomp" in said
    assert "No user namespace not permitted" in said
    assert "no sandbox answers at /run/sandbox.sock" in said
    assert "three:9 Silent since" in said


def test_the_last_faults_with_their_references(page: Client, learner: User, problem: Problem) -> None:
    submission = Submission.hand_in(learner, problem, RIGHT)
    Submission.objects.update(fault="The worker that held it went away.", reference="a1b2c3d4", attempt=2)

    response = page.get("/status/")

    assert "a1b2c3d4" in words(response)
    assert "halving 1 of ada 2 queued The worker that held it went away." in words(response)
    assert f"/submissions/{submission.pk}/" in links(response)


def test_only_an_administrator_sees_it_and_its_link(client: Client, instructor: User, administrator: User) -> None:
    assert client.get("/status/").headers["Location"].startswith("/accounts/sign-in/")
    client.force_login(instructor)
    assert client.get("/status/").status_code == 403
    assert "/status/" not in links(client.get("/help/"))
    client.force_login(administrator)
    assert "/status/" in links(client.get("/help/"))
