"""Verifications of instructors: run by a service of their own, which gives back what it holds when it is stopped."""

from __future__ import annotations

import json
import time
from typing import Any

from judge.tests import halving
from tests.compose.stack import Stack
from tests.stack import ROOT

SECONDS = 120
ASK = """
import json, sys
from judge.accounts.models import User
from judge.classroom.models import PackageDraft, VerificationRun
from judge.classroom.tasks import ring
administrator = User.objects.get(username="administrator")
run = VerificationRun.ask(PackageDraft.start({slug!r}, json.load(sys.stdin), administrator), administrator)
ring(run.pk)
print(run.pk)
"""
LOOK = """
import json
from judge.classroom.models import VerificationRun
run = VerificationRun.objects.get(pk={run!r})
print(json.dumps({{name: getattr(run, name) for name in ("state", "attempt", "done", "fault")}}))
"""
CANCEL = """
from judge.classroom.models import VerificationRun
print(VerificationRun.objects.get(pk={run!r}).cancel())
"""


def test_the_verifier_verifies_while_no_worker_runs(stack: Stack) -> None:
    stack.run("stop", "worker")
    try:
        run = ask(stack, "halving", halving.FILES)
        found = wait_for(stack, run, "finished", attempt=1)
    finally:
        stack.run("start", "worker")

    assert found["fault"] == ""
    assert found["done"] > 0


def test_a_verifier_that_is_told_to_stop_gives_back_what_it_verifies(stack: Stack) -> None:
    moco = ROOT / "problems" / "moco"
    files = {str(file.relative_to(moco)): file.read_text() for file in moco.rglob("*.*") if file.suffix != ".pyc"}
    run = ask(stack, "moco", files)
    wait_for(stack, run, "running", attempt=1)

    began = time.monotonic()
    stack.run("stop", "verifier")
    assert time.monotonic() - began < 60, "the engine had to kill it"
    assert (look(stack, run)["state"], look(stack, run)["attempt"]) == ("queued", 0)

    stack.run("start", "verifier")
    wait_for(stack, run, "running", attempt=1)
    assert shell(stack, CANCEL.format(run=run)) == "True"


def ask(stack: Stack, slug: str, files: dict[str, str]) -> str:
    return shell(stack, ASK.format(slug=slug), json.dumps(files))


def look(stack: Stack, run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shell(stack, LOOK.format(run=run)))
    return found


def wait_for(stack: Stack, run: str, state: str, *, attempt: int) -> dict[str, Any]:
    """The run once it is in `state`, and has come somewhere."""
    end = time.monotonic() + SECONDS
    while True:
        found = look(stack, run)
        if (found["state"], found["attempt"]) == (state, attempt) and found["done"]:
            return found
        assert time.monotonic() < end, f"{found}\n{stack.run('logs', '--no-color', 'verifier')[-3000:]}"
        time.sleep(0.5)


def shell(stack: Stack, code: str, text: str | None = None) -> str:
    words = ("python", "manage.py", "shell", "--no-imports", "--verbosity", "0", "--command", code)
    return stack.execute("web", *words, text=text).strip()
