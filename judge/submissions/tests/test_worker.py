"""Real Celery workers on the folder broker, started as an operator starts them. For Redis see `tests/broker`."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.submissions.tests.sandboxes import RIGHT, THIRD

ROOT = Path(__file__).resolve().parents[3]
WORKER = [sys.executable, "-m", "celery", "-A", "judge", "worker", "--pool", "threads", "--concurrency", "4"]
"""The one command, whatever the broker; see `judge/celery.py`."""


class Site:
    """A site of its own: a folder with a database, a broker, the problem *Halving*, and a learner."""

    def __init__(self, var: Path, problems: Path, sandbox: Path) -> None:
        self.var = var
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "judge.settings",
            "PAPERJUDGE_VAR": str(var),
            "PAPERJUDGE_PROBLEMS": str(problems),
            "PAPERJUDGE_SANDBOX_SOCKET": str(sandbox),
            "PAPERJUDGE_BROKER": "filesystem://",
        }
        self.python(
            "from django.core.management import call_command\n"
            "call_command('migrate', verbosity=0); call_command('load_problems'); User.objects.create_user('ada')\n"
        )

    def python(self, code: str) -> str:
        """Runs code in a process of the web's kind, that is, apart from the worker."""
        prelude = (
            "import django; django.setup()\n"
            "from django.db import transaction\n"
            "from judge.accounts.models import User\n"
            "from judge.catalog.models import Problem\n"
            "from judge.submissions.models import Submission\n"
            "from judge.submissions.tasks import ring, ring_on_commit\n"
        )
        command = [sys.executable, "-c", prelude + code]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def hand_in(self, source: str, ring: str = "ring_on_commit(submission.pk)") -> str:
        return self.python(
            "with transaction.atomic():\n"
            f"    submission = Submission.hand_in(User.objects.get(), Problem.objects.get(), {source!r})\n"
            f"    {ring}\n"
            "print(submission.pk)"
        )

    def verdict(self, pk: str) -> str:
        """Waits for it, in one process of its own."""
        return self.python(
            "import time\n"
            "end = time.monotonic() + 60\n"
            f"while (s := Submission.objects.get(pk={pk!r})).state != 'finished' and time.monotonic() < end:\n"
            "    time.sleep(0.05)\n"
            "print(s.verdict, s.attempt, s.checks.count())"
        )

    @contextlib.contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        with (self.var / "worker.log").open("ab") as log:
            process = subprocess.Popen(WORKER, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        try:
            end = time.monotonic() + 60
            while b"ready" not in (self.var / "worker.log").read_bytes():
                assert process.poll() is None, self.log()
                assert time.monotonic() < end, self.log()
                time.sleep(0.05)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self) -> str:
        return (self.var / "worker.log").read_text(errors="replace")


@pytest.fixture
def site(tmp_path: Path, problem_folder: Path, sandbox_socket: Path) -> Site:
    return Site(tmp_path / "var", problem_folder.parent, sandbox_socket)


def test_a_worker_judges_through_the_folder_broker_and_stays_small(site: Site) -> None:
    with site.worker() as process:
        right, third = site.hand_in(RIGHT), site.hand_in(THIRD)
        assert site.verdict(right) == "accepted 1 3"
        assert site.verdict(third) == "wrong_answer 1 3"

        status = Path(f"/proc/{process.pid}/status").read_text()
        resident_kb = int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])
        assert resident_kb < 120 * 1024
        assert "torch" not in Path(f"/proc/{process.pid}/maps").read_text()
    assert process.returncode == 0
    assert list((site.var / "broker" / "messages").iterdir()) == []
    assert right in site.log()


def test_a_doubled_message_judges_once(site: Site) -> None:
    pk = site.hand_in(RIGHT, ring="for _ in range(20): ring_on_commit(submission.pk)")

    with site.worker():
        assert site.verdict(pk) == "accepted 1 3"
        assert site.verdict(site.hand_in(RIGHT)) == "accepted 1 3"  # queued behind all the doubled ones

    assert site.log().count("judged ") == 2
    assert site.log().count("nothing to claim") == 19


def test_what_the_broker_never_heard_of_is_found_by_the_sweep(site: Site) -> None:
    pk = site.hand_in(RIGHT, ring="Submission.objects.update(rung_at=None)")

    with site.worker():
        assert site.verdict(pk) == "accepted 1 3"


def test_what_waited_for_the_sandbox_is_judged_when_it_comes_back(
    site: Site, tmp_path: Path, sandbox_socket: Path
) -> None:
    site.environment["PAPERJUDGE_SANDBOX_SOCKET"] = str(tmp_path / "sandbox.sock")

    with site.worker():
        pk = site.hand_in(RIGHT)
        wait_for(lambda: "judging failed" in site.log())
        (tmp_path / "sandbox.sock").symlink_to(sandbox_socket)
        verdict, attempts, checks = site.verdict(pk).split()

    assert (verdict, checks) == ("accepted", "3")
    assert int(attempts) >= 2


def test_a_sandbox_that_only_restarts_is_waited_for(site: Site, tmp_path: Path, sandbox_socket: Path) -> None:
    site.environment["PAPERJUDGE_SANDBOX_SOCKET"] = str(tmp_path / "sandbox.sock")

    with site.worker():
        pk = site.hand_in(RIGHT)
        (tmp_path / "sandbox.sock").symlink_to(sandbox_socket)
        assert site.verdict(pk) == "accepted 1 3"

    assert "judging failed" not in site.log()


def test_a_worker_that_was_killed_loses_nothing(site: Site) -> None:
    with site.worker() as first:
        pk = site.hand_in("import time\ntime.sleep(0.8)\n" + RIGHT)
        wait_for(lambda: site.python(f"print(Submission.objects.get(pk={pk!r}).state)") != "queued")
        first.kill()
        first.wait()
    site.python("Submission.objects.update(alive_at='2020-01-01T00:00:00Z')")  # as if half a minute had passed

    with site.worker():
        assert site.verdict(pk).split()[0] == "accepted"


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
