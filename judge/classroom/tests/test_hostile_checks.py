"""Packages whose checks do harm: verifying them ends, says which file it is, and the next verification is healthy."""

import os

import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.tests.packages import PACKAGE
from judge.classroom.models import PackageDraft, RunState, VerificationRun
from judge.classroom.verifying import verify_run
from judge.tests.pages import words
from sandbox import client as sandbox

pytestmark = pytest.mark.django_db

CHECKS = {
    "kills everything": "import os, signal\n\nos.kill(-1, signal.SIGKILL)\nos.kill(os.getppid(), signal.SIGKILL)\n",
    "leaves": "import os\n\nos._exit(0)\n",
    "opens the network": "import socket\n\nsocket.create_connection(('127.0.0.1', 80), 1)\n",
    "prints secrets": (
        "import glob, os, sys\n\n"
        "print(dict(os.environ), file=sys.stderr)\n"
        "raise RuntimeError([open(p).read()[:200] for p in glob.glob('/etc/passwd') + glob.glob('/proc/1/environ')])\n"
    ),
}


def verified(draft: PackageDraft, by: User, client: sandbox.Client) -> VerificationRun:
    run = VerificationRun.ask(draft, by)
    verify_run(run.pk, client)
    return VerificationRun.objects.get(pk=run.pk)


@pytest.mark.parametrize("kind", CHECKS)
def test_a_check_that_does_harm(
    kind: str, draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "PAPERJUDGE_SECRET_KEY", "the canary of this test, which nobody may read")
    draft.save_file("checks/test_hostile.py", CHECKS[kind], 0, instructor)

    run = verified(draft, instructor, sandbox_client)

    assert (run.state, run.verified) == (RunState.FINISHED, False)
    assert run.result is not None
    said = str(run.result)
    assert any(complaint["file"].startswith("checks/") for complaint in run.result["complaints"])
    assert "canary" not in said
    assert "root:x:0" not in said


def test_the_next_verification_is_healthy(
    draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client
) -> None:
    draft.save_file("checks/test_hostile.py", CHECKS["kills everything"], 0, instructor)
    verified(draft, instructor, sandbox_client)
    draft.remove_file("checks/test_hostile.py", 1, instructor)
    files = {name: text for name, text in PACKAGE.files.items() if not name.startswith(("wrong/", "correct/"))}
    small = PackageDraft.start("small", files, instructor)

    run = verified(small, instructor, sandbox_client)

    assert run.state == RunState.FINISHED
    assert run.result is not None
    assert run.result["solutions"][0]["verdict"] == "accepted"


def test_a_check_that_loops_when_it_is_imported_is_named_with_its_line(
    teacher: Client, draft: PackageDraft, instructor: User, sandbox_client: sandbox.Client
) -> None:
    draft.save_file("checks/test_endless.py", "import math\n\nwhile True:\n    math.sqrt(2)\n", 0, instructor)

    run = verified(draft, instructor, sandbox_client)

    assert (run.state, run.verified, run.fault) == (RunState.FINISHED, False, "")
    assert run.result is not None
    [complaint] = [told for told in run.result["complaints"] if told["file"].startswith("checks/")]
    assert (complaint["file"], complaint["line"] in (3, 4)) == ("checks/test_endless.py", True)
    assert complaint["reason"] == (
        "it cannot be imported: TimeoutError: it has not come to its end after 5 s of computing"
    )
    assert complaint["reason"] in words(teacher.get(f"/teach/verifications/{run.pk}/"))
