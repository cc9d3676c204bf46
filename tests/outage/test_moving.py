"""A site moves from SQLite to PostgreSQL and back, by a backup and a restore, and loses nothing."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.outage.servers import postgresql_server
from tests.stack import ROOT

FIRST = ROOT / "judge" / "operations" / "tests" / "first-release.backup"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[str]:
    with postgresql_server(tmp_path) as (server, address):
        server.start()
        yield address


def manage(var: Path, *words: str, **environment: str) -> str:
    values = {**os.environ, "PAPERJUDGE_VAR": str(var), **environment}
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=ROOT, env=values, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(file: Path) -> list[str]:
    """The rows of a backup, in one order."""
    return sorted(line for line in gzip.decompress(file.read_bytes()).decode().splitlines() if '"row"' in line[:80])


def test_to_postgresql_and_back(tmp_path: Path, database: str) -> None:
    elsewhere = {"PAPERJUDGE_DATABASE": database}
    var = tmp_path / "var"

    manage(var, "restore", str(FIRST), **elsewhere)
    manage(var, "migrate", "--check", **elsewhere)
    manage(var, "backup", str(tmp_path / "there"), **elsewhere)
    manage(var, "restore", str(tmp_path / "there"))
    manage(var, "backup", str(tmp_path / "back"))

    assert rows(tmp_path / "back") == rows(tmp_path / "there")
    kinds = [json.loads(row)["model"] for row in rows(tmp_path / "back")]
    assert kinds.count("submissions.submission") == kinds.count("accounts.user") == 2
    script = (
        "from judge.accounts.models import User; User.objects.create_user('eve');"
        "from judge.catalog.models import Problem; from judge.submissions.models import Submission;"
        "print(Submission.hand_in(User.objects.get(username='ada'), Problem.objects.get(), '').number)"
    )
    words = ("shell", "--no-imports", "--verbosity", "0", "--command", script)
    assert manage(var, *words, **elsewhere).splitlines()[-1] == "3"
    manage(var, "restore", "--replace", str(tmp_path / "back"), **elsewhere)
    manage(var, "backup", str(tmp_path / "again"), **elsewhere)
    assert rows(tmp_path / "again") == rows(tmp_path / "back")
