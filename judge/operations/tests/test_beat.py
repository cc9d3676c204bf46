"""A worker's sign of life, and what it says of its sandbox."""

import datetime
from typing import Any

import pytest
from django.utils import timezone

from judge.operations.beat import Beat
from judge.operations.models import Worker
from sandbox.client import Client, SandboxUnavailable

pytestmark = pytest.mark.django_db


class Away:
    def ping(self) -> dict[str, Any]:
        raise SandboxUnavailable("no sandbox answers at /nowhere")


def test_a_worker_writes_what_its_sandbox_says(sandbox_client: Client) -> None:
    Beat(sandbox_client, "host:1").beat()

    worker = Worker.objects.get()
    assert (worker.name, worker.is_alive, worker.fault) == ("host:1", True, "")
    assert worker.takes == "submissions"
    assert worker.sandbox is not None
    assert set(worker.sandbox["protections"]) == {"the host's files", "the network", "other processes", "resources"}
    assert worker.sandbox["template_mb"] > 50


def test_a_verifier_writes_what_it_takes(sandbox_client: Client) -> None:
    Beat(sandbox_client, "host:1", judges=False, verifies=True).beat()
    Beat(sandbox_client, "host:2", judges=True, verifies=True).beat()

    assert [worker.takes for worker in Worker.objects.all()] == ["verifications", "submissions and verifications"]


def test_a_sandbox_that_is_away_is_said_once_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    beat = Beat(Away(), "host:1")

    beat.beat()
    assert "the sandbox can't be reached" not in caplog.text  # it may just be starting
    beat.beat()
    beat.beat()

    worker = Worker.objects.get()
    assert (worker.sandbox, worker.fault) == (None, "no sandbox answers at /nowhere")
    assert caplog.text.count("the sandbox can't be reached") == 1


def test_a_worker_that_stops_with_its_sandbox_says_nothing_of_it(caplog: pytest.LogCaptureFixture) -> None:
    beat = Beat(Away(), "host:1")

    beat.leave()
    for _ in range(3):
        beat.beat()

    assert caplog.text == ""


def test_a_silent_worker_counts_as_gone_and_is_forgotten_after_a_day() -> None:
    now = timezone.now()
    Worker.objects.create(name="silent", alive_at=now - datetime.timedelta(seconds=30))
    Worker.objects.create(name="forgotten", alive_at=now - datetime.timedelta(days=2))

    Beat(Away(), "host:1").beat()

    assert [worker.name for worker in Worker.objects.all()] == ["host:1", "silent"]
    assert [worker.name for worker in Worker.objects.alive()] == ["host:1"]


def test_a_worker_that_is_told_to_stop_is_not_missed() -> None:
    beat = Beat(Away(), "host:1")
    beat.beat()

    beat.end()

    assert not Worker.objects.exists()


def test_a_sign_of_life_from_before_a_clock_was_set_back_does_not_count() -> None:
    ahead = timezone.now() + datetime.timedelta(hours=1)
    died = Worker.objects.create(name="host:1", alive_at=ahead)

    assert not died.is_alive
    assert not Worker.objects.alive().exists()
