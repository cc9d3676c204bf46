"""Verifications: asked for, run with the real sandbox, followed, cancelled, given back, and what becomes of faults."""

import datetime
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog import verify as verification
from judge.classroom import tasks, verifying
from judge.classroom.models import PackageDraft, RunState, VerificationRun
from judge.classroom.verifying import verify_run
from judge.tests.pages import words
from sandbox import client as sandbox
from sandbox.client import SandboxUnavailable

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tenth mutant: the rest is of the same kind, and `catalog` verifies all of them."""
    real = verification.verify

    def sampled(*arguments: Any, **options: Any) -> Any:
        return real(*arguments, **{**options, "every_mutant": 10})

    monkeypatch.setattr(verifying, "verify", sampled)


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the broker is told: the id and the queue."""
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(tasks.verify_draft, "apply_async", lambda arguments, queue: told.append((arguments[0], queue)))
    return told


def state(teacher: Client, run: VerificationRun) -> dict[str, Any]:
    answer: dict[str, Any] = teacher.get(f"/teach/verifications/{run.pk}/state/").json()
    return answer


def test_a_verification_waits_in_a_queue_of_its_own(
    teacher: Client, draft: PackageDraft, rung: list[tuple[str, str]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        teacher.post("/teach/problems/row-norms/draft/verify/")
        teacher.post("/teach/problems/row-norms/draft/verify/")

    run = VerificationRun.objects.get()  # asked twice, it is the same
    assert set(rung) == {(str(run.pk), "verifying")}
    assert settings.CELERY_TASK_DEFAULT_QUEUE == "judging"
    assert (state(teacher, run)["state"], state(teacher, run)["place"]) == ("queued", 1)
    assert "Waiting for a worker, number 1 in line." in words(teacher.get(f"/teach/verifications/{run.pk}/"))


def test_what_is_found_is_stored_and_shown(
    teacher: Client, draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client
) -> None:
    run = VerificationRun.ask(draft, instructor)

    verify_run(run.pk, sandbox_client)

    run.refresh_from_db()
    assert (run.state, run.verified, run.fault) == (RunState.FINISHED, True, "")
    assert run.done == run.total > 0
    page = words(teacher.get(f"/teach/verifications/{run.pk}/"))
    assert "Verified. It may be published." in page
    for part in ("Known mistakes and the checks that notice them", "Tolerances", "Limits", "are noticed (100 %)"):
        assert part in page
    assert "must notice it, and does" in page


def test_complaints_and_surviving_mutants_are_shown_with_their_places(
    teacher: Client, draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client
) -> None:
    text = draft.texts()["wrong/no_epsilon.py"].split("# ///\n", 1)
    draft.save_file("wrong/no_epsilon.py", f"{text[0]}# ///\n{draft.texts()['reference.py']}", 1, instructor)
    run = VerificationRun.ask(draft, instructor)

    verify_run(run.pk, sandbox_client)

    run.refresh_from_db()
    assert (run.state, run.verified) == (RunState.FINISHED, False)
    files = {complaint["file"] for complaint in state(teacher, run)["complaints"]}
    assert "wrong/no_epsilon.py" in files
    page = teacher.get(f"/teach/verifications/{run.pk}/")
    assert "Not verified:" in words(page)
    assert "must notice it, and does not" in words(page)
    assert 'data-look="missed" title=' in page.content.decode()


def test_a_package_that_can_not_be_read_is_complained_of_without_a_sandbox(
    draft: PackageDraft, instructor: User
) -> None:
    draft.save_file("reference.py", "def f(:\n", 1, instructor)
    run = VerificationRun.ask(draft, instructor)

    verify_run(run.pk, sandbox.Client(settings.VAR / "nothing.sock"))

    run.refresh_from_db()
    assert (run.state, run.verified) == (RunState.FINISHED, False)
    assert run.result is not None
    assert run.result["complaints"][0]["file"] == "reference.py"


class Interrupted:
    """A sandbox in which something happens once a few runs are judged."""

    def __init__(self, client: sandbox.Client, happens: Any, after: int = 3) -> None:
        self._client = client
        self._happens = happens
        self._left = after
        self._lock = threading.Lock()
        self.jobs = 0

    def judge(self, job: Any) -> Iterator[Any]:
        with self._lock:
            self.jobs += 1
            self._left -= 1
            if self._left == 0:
                self._happens()
        yield from self._client.judge(job)


@pytest.fixture
def _always_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "WRITE_SECONDS", 0.0)


@pytest.mark.usefixtures("_always_written")
def test_a_cancelled_verification_ends_soon_and_stays_cancelled(
    teacher: Client,
    draft: PackageDraft,
    instructor: User,
    sandbox_client: sandbox.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = VerificationRun.ask(draft, instructor)
    client = Interrupted(sandbox_client, lambda: None)
    writes: list[Any] = []
    real = VerificationRun.write

    def write(self: VerificationRun, **values: Any) -> bool:
        writes.append(values)
        if len(writes) == 3:  # in the thread that has the database of this test
            teacher.post(f"/teach/verifications/{run.pk}/cancel/")
        return real(self, **values)

    monkeypatch.setattr(VerificationRun, "write", write)
    verify_run(run.pk, client)

    run.refresh_from_db()
    assert (run.state, run.result, run.verified) == (RunState.CANCELLED, None, False)
    assert client.jobs < 30
    assert "Cancelled. Verify it again from the editor." in words(teacher.get(f"/teach/verifications/{run.pk}/"))


@pytest.mark.usefixtures("_always_written")
def test_a_worker_that_is_told_to_stop_gives_it_back(
    draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client, rung: list[tuple[str, str]]
) -> None:
    run = VerificationRun.ask(draft, instructor)
    try:
        verify_run(run.pk, Interrupted(sandbox_client, verifying.stopping.set))
    finally:
        verifying.stopping.clear()

    run.refresh_from_db()
    assert (run.state, run.attempt) == (RunState.QUEUED, 0)
    tasks.sweep()
    assert rung == [(str(run.pk), "verifying")]


def test_a_doubled_task_finds_nothing(draft: PackageDraft, instructor: User) -> None:
    run = VerificationRun.ask(draft, instructor)
    assert VerificationRun.objects.get(pk=run.pk).claim()

    verify_run(run.pk, sandbox.Client(settings.VAR / "nothing.sock"))
    assert not run.claim()

    run.refresh_from_db()
    assert (run.state, run.attempt) == (RunState.RUNNING, 1)


def test_a_worker_that_died_is_missed_and_at_last_given_up(
    draft: PackageDraft, instructor: User, rung: list[tuple[str, str]]
) -> None:
    run = VerificationRun.ask(draft, instructor)
    silent = timezone.now() - datetime.timedelta(seconds=100)
    for attempt in range(1, 4):
        held = VerificationRun.objects.get(pk=run.pk)
        assert held.claim()
        VerificationRun.objects.filter(pk=run.pk).update(alive_at=silent)
        tasks.sweep()
        assert not held.write(done=1)
        assert len(rung) == min(attempt, 2)

    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "The worker that held it went away, 3 times.")


def test_what_the_broker_lost_is_rung_again(draft: PackageDraft, instructor: User, rung: list[tuple[str, str]]) -> None:
    run = VerificationRun.ask(draft, instructor)
    tasks.sweep()
    assert rung == []

    VerificationRun.objects.update(rung_at=timezone.now() - datetime.timedelta(seconds=31))
    tasks.sweep()
    tasks.sweep()
    assert rung == [(str(run.pk), "verifying")]


def test_a_sandbox_that_stays_away_is_our_fault(
    teacher: Client, draft: PackageDraft, instructor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "RETRY_SECONDS", 0.0)
    run = VerificationRun.ask(draft, instructor)

    class Away:
        def judge(self, job: object) -> Iterator[Any]:
            raise SandboxUnavailable("no sandbox answers")

    verify_run(run.pk, Away())

    run.refresh_from_db()
    assert (run.state, run.fault) == (RunState.FAILED, "The sandbox can't be used: no sandbox answers")
    assert "It failed, and not because of the package." in words(teacher.get(f"/teach/verifications/{run.pk}/"))


@pytest.mark.usefixtures("_always_written")
def test_a_database_that_goes_away_costs_an_attempt_and_is_no_verdict(
    draft: PackageDraft,
    instructor: User,
    sandbox_client: sandbox.Client,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    run = VerificationRun.ask(draft, instructor)
    real, writes = VerificationRun.write, iter(range(100))

    def write(self: VerificationRun, **values: Any) -> bool:
        if next(writes) == 3:
            raise OperationalError("the server closed the connection")
        return real(self, **values)

    with monkeypatch.context() as patched:
        patched.setattr(VerificationRun, "write", write)
        verify_run(run.pk, sandbox_client)

    run.refresh_from_db()
    assert (run.state, run.attempt, run.fault) == (RunState.RUNNING, 1, "")
    assert "the database can't be used; the verification begins anew" in caplog.text
    VerificationRun.objects.update(alive_at=timezone.now() - datetime.timedelta(seconds=91))
    tasks.sweep()
    verify_run(run.pk, sandbox_client)
    run.refresh_from_db()
    assert (run.state, run.attempt, run.verified) == (RunState.FINISHED, 2, True)


def test_a_clock_that_is_set_back_holds_nothing_up(
    draft: PackageDraft, instructor: User, rung: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    """What was written before lies ahead, and the broker lost one while a worker died with the other."""
    ahead = timezone.now() + datetime.timedelta(hours=1)
    waits = VerificationRun.ask(draft, instructor)
    held = VerificationRun.objects.create(draft=draft, files={})
    assert held.claim()
    VerificationRun.objects.update(rung_at=ahead, alive_at=ahead)

    tasks.sweep()
    assert "a clock was set back" in caplog.text
    later = timezone.now() - datetime.timedelta(seconds=91)
    assert VerificationRun.objects.filter(rung_at__lt=ahead).update(rung_at=later, alive_at=later) == 2
    tasks.sweep()

    assert {run_id for run_id, _ in rung} == {str(waits.pk), str(held.pk)}


def test_a_newer_text_ends_the_verification_of_the_older_one(draft: PackageDraft, instructor: User) -> None:
    old = VerificationRun.ask(draft, instructor)
    draft.save_file("starter.py", "# New\n", 1, instructor)

    new = VerificationRun.ask(draft, instructor)

    old.refresh_from_db()
    assert (old.state, new.state) == (RunState.CANCELLED, RunState.QUEUED)
