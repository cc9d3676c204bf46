"""`/readyz`: each thing that the site depends on, by name."""

import datetime
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from judge.operations.models import Worker

ALL_WELL = {"database": "ok", "broker": "ok", "worker": "ok", "sandbox": "ok", "verifier": "ok"}
SILENT = "none has given a sign of life for 20 s"


@pytest.fixture
def verifier(db: None) -> Worker:
    return Worker.objects.create(name="host:2", judges=False, verifies=True, sandbox={"running": 0})


@pytest.fixture
def worker(verifier: Worker) -> Worker:
    return Worker.objects.create(name="host:1", sandbox={"running": 0})


def test_all_is_well(client: Client, worker: Worker) -> None:
    response = client.get("/readyz")

    assert (response.status_code, response.json()) == (200, ALL_WELL)


def test_without_a_worker_nothing_is_judged(client: Client, db: None) -> None:
    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json() == {
        **ALL_WELL,
        "worker": SILENT,
        "sandbox": "no living worker reaches one",
        "verifier": SILENT,
    }


def test_a_verifier_takes_no_submissions(client: Client, verifier: Worker) -> None:
    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json() == {**ALL_WELL, "worker": SILENT, "sandbox": "no living worker reaches one"}


def test_without_a_verifier_instructors_wait(client: Client, worker: Worker, verifier: Worker) -> None:
    verifier.delete()
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (503, {**ALL_WELL, "verifier": SILENT})

    Worker.objects.update(verifies=True)
    assert client.get("/readyz").json() == ALL_WELL


def test_a_verifier_that_does_not_reach_its_sandbox(client: Client, worker: Worker, verifier: Worker) -> None:
    Worker.objects.filter(pk=verifier.pk).update(sandbox=None, fault="no sandbox answers")

    assert client.get("/readyz").json() == {**ALL_WELL, "verifier": "no living one reaches a sandbox"}


def test_a_worker_that_died_does_not_count(client: Client, worker: Worker) -> None:
    Worker.objects.update(alive_at=timezone.now() - datetime.timedelta(seconds=21))

    assert client.get("/readyz").json()["worker"] == SILENT


def test_a_worker_that_does_not_reach_its_sandbox(client: Client, worker: Worker) -> None:
    fault = "no sandbox answers at /run/paperjudge/sandbox.sock"
    Worker.objects.filter(pk=worker.pk).update(sandbox=None, fault=fault)

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json() == {**ALL_WELL, "sandbox": "no living worker reaches one"}


def test_a_broker_that_is_away(client: Client, worker: Worker, settings: Settings) -> None:
    settings.BROKER = "redis://:secret@127.0.0.1:1/0"

    assert client.get("/readyz").json() == {**ALL_WELL, "broker": "can't be reached (ConnectionError)"}


def test_a_broker_folder_that_is_gone(client: Client, worker: Worker, settings: Settings, tmp_path: Path) -> None:
    settings.CELERY_BROKER_TRANSPORT_OPTIONS = {"data_folder_out": str(tmp_path / "gone")}

    assert client.get("/readyz").json() == {**ALL_WELL, "broker": "its folder can't be written to"}


def test_a_database_that_is_away(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OperationalError("could not connect to db.internal")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", away)
        response = client.get("/readyz")

    said = "the database can't be asked (OperationalError)"
    assert response.status_code == 503
    assert response.json() == {**dict.fromkeys(ALL_WELL, said), "broker": "ok"}


def test_a_database_of_an_older_release(client: Client, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: [("accounts", False)])

    assert client.get("/readyz").json()["database"] == "1 migrations are missing: run `manage.py migrate`"
