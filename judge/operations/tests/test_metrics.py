"""`/metrics`: what a monitoring system reads."""

import datetime

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.classroom.models import PackageDraft, VerificationRun
from judge.operations import metrics
from judge.operations.figures import Counted
from judge.operations.models import Worker
from judge.submissions.models import State, Submission
from judge.submissions.tests.sandboxes import RIGHT

pytestmark = pytest.mark.django_db
SANDBOX = {
    "running": 2,
    "waiting": 1,
    "template_mb": 200.0,
    "template_starts": 3,
    "layers": ["Landlock"],
    "missing": {"user namespace": "not permitted"},
    "protections": {"the network": ["seccomp"]},
}


@pytest.fixture(autouse=True)
def _nothing_counted_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_registry", metrics.new_registry())


def figures(client: Client) -> dict[tuple[str, str], float]:
    """Each sample by its name and the value of its last label."""
    text = client.get("/metrics").content.decode()
    return {
        (sample.name, ",".join(value for name, value in sample.labels.items() if name != "worker")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def finished(user: User, problem: Problem, verdict: str, *, waited: float, judged: float, attempt: int = 1) -> None:
    """A submission that was handed in two minutes ago."""
    submission = Submission.hand_in(user, problem, RIGHT)
    created = timezone.now() - datetime.timedelta(minutes=2)
    started = created + datetime.timedelta(seconds=waited)
    Submission.objects.filter(pk=submission.pk).update(
        state=State.FINISHED,
        verdict=verdict,
        attempt=attempt,
        created_at=created,
        started_at=started,
        finished_at=started + datetime.timedelta(seconds=judged),
    )


def test_the_queue(client: Client, learner: User, problem: Problem) -> None:
    for _ in range(3):
        Submission.hand_in(learner, problem, RIGHT)
    Submission.objects.filter(number=1).update(state=State.RUNNING)
    Submission.objects.filter(number=2).update(created_at=timezone.now() - datetime.timedelta(seconds=40))

    found = figures(client)

    assert found["paperjudge_queue_length", ""] == 2
    assert found["paperjudge_running", ""] == 1
    assert 40 <= found["paperjudge_queue_oldest_seconds", ""] < 45


def test_judgements_retries_and_seconds_by_stage(client: Client, learner: User, problem: Problem) -> None:
    finished(learner, problem, "accepted", waited=0.1, judged=0.3)
    finished(learner, problem, "accepted", waited=0.1, judged=3.0, attempt=3)
    finished(learner, problem, "wrong_answer", waited=20.0, judged=0.3)

    found = figures(client)

    assert found["paperjudge_judgements_total", "accepted"] == 2
    assert found["paperjudge_judgements_total", "wrong_answer"] == 1
    assert found["paperjudge_judgements_total", "judge_error"] == 0
    assert found["paperjudge_retries_total", ""] == 2
    assert found["paperjudge_stage_seconds_count", "judging"] == 3
    assert found["paperjudge_stage_seconds_sum", "judging"] == pytest.approx(3.6)
    assert found["paperjudge_stage_seconds_bucket", "0.5,judging"] == 2
    assert found["paperjudge_stage_seconds_bucket", "5.0,judging"] == 3
    assert found["paperjudge_stage_seconds_bucket", "10.0,waiting"] == 2
    assert found["paperjudge_stage_seconds_bucket", "30.0,total"] == 3


def test_each_submission_is_counted_once_however_often_it_is_asked(learner: User, problem: Problem) -> None:
    counted = Counted()
    finished(learner, problem, "accepted", waited=0.1, judged=0.3)
    assert [counted.now().verdicts["accepted"] for _ in range(3)] == [1, 1, 1]

    finished(learner, problem, "accepted", waited=0.1, judged=0.3)
    Submission.objects.filter(number=2).update(finished_at=timezone.now())

    assert [counted.now().verdicts["accepted"] for _ in range(3)] == [2, 2, 2]


def test_workers_and_their_sandboxes(client: Client) -> None:
    Worker.objects.create(name="one", sandbox=SANDBOX)
    Worker.objects.create(name="gone", alive_at=timezone.now() - datetime.timedelta(minutes=1))

    found = figures(client)

    assert found["paperjudge_workers", "submissions"] == 1
    assert found["paperjudge_workers", "verifications"] == 0
    assert found["paperjudge_sandbox_up", ""] == 1
    assert found["paperjudge_sandbox_running", ""] == 2
    assert found["paperjudge_sandbox_waiting", ""] == 1
    assert found["paperjudge_sandbox_template_starts", ""] == 3
    assert found["paperjudge_sandbox_template_bytes", ""] == 200 * 1024 * 1024
    assert found["paperjudge_sandbox_layer", "Landlock"] == 1
    assert found["paperjudge_sandbox_layer", "user namespace"] == 0
    assert found["paperjudge_sandbox_protection", "the network"] == 1


def test_verifications_and_who_takes_them(client: Client, instructor: User) -> None:
    Worker.objects.create(name="verifier", judges=False, verifies=True)
    before = figures(client)
    draft = PackageDraft.objects.create(slug="halving")
    runs = [VerificationRun.objects.create(draft=draft, files={}) for _ in range(3)]
    assert runs[0].claim()
    VerificationRun.objects.filter(pk=runs[1].pk).update(created_at=timezone.now() - datetime.timedelta(seconds=40))

    found = figures(client)

    assert (before["paperjudge_verifications", "queued"], found["paperjudge_verifications", "queued"]) == (0, 2)
    assert (before["paperjudge_verifications", "running"], found["paperjudge_verifications", "running"]) == (0, 1)
    assert found["paperjudge_verifications", "failed"] == 0
    assert before["paperjudge_verifications_oldest_seconds", ""] == 0
    assert 40 <= found["paperjudge_verifications_oldest_seconds", ""] < 45
    assert found["paperjudge_workers", "submissions"] == 0
    assert found["paperjudge_workers", "verifications"] == 1


def test_with_a_token_they_are_for_those_who_have_it(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = "a token"

    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 401
    assert client.get("/metrics", headers={"Authorization": "Bearer a token"}).status_code == 200
