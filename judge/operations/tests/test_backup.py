"""What is written down comes back: the same rows, in another database, of this release or an older one."""

import gzip
import io
import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from judge.accounts.models import Count, User
from judge.catalog.models import Problem
from judge.operations import backup
from judge.submissions import judging
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, Scripted

OLD = Path(__file__).parent / "first-release.backup"
"""Of the first state of the tables: two people, the problem *Halving*, a draft, an accepted run and one that waits."""


def written() -> bytes:
    stream = io.BytesIO()
    backup.write(stream)
    return stream.getvalue()


def manage(var: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command on a site of its own."""
    values = {**os.environ, "PAPERJUDGE_VAR": str(var), **environment}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=values, capture_output=True, text=True, check=False)


def rows(packed: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


@pytest.fixture
def content(learner: User, other: User, problem: Problem) -> bytes:
    """A backup of a site with two people, a run that was judged, and one that waits."""
    for user in (learner, other):
        submission = Submission.hand_in(user, problem, RIGHT + f"# {user.username} \U0001f600\n")
    judging.judge(submission.pk, Scripted(*ACCEPTED))
    Count.objects.create(key="guesses", times=3, since=submission.created_at)
    return written()


def test_a_backup_holds_every_row_and_no_more(content: bytes) -> None:
    lines = rows(content)

    assert (lines[0]["paperjudge"], lines[0]["format"]) == ("backup", 1)
    counts = lines[-1]["end"]
    assert isinstance(counts, dict)
    assert counts["accounts.user"] == counts["submissions.submission"] == 2
    assert counts["submissions.checkresult"] == 3
    assert counts["catalog.progress"] == 1
    assert not set(counts) & backup.LEFT_OUT


def test_restored_elsewhere_it_is_the_same(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "site.backup"
    file.write_bytes(content)
    var = tmp_path / "var"

    done = manage(var, "restore", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.endswith("2 submissions.\n")
    assert manage(var, "backup", str(tmp_path / "again.backup")).returncode == 0

    again = (tmp_path / "again.backup").read_bytes()
    assert rows(again)[1:-1] == rows(content)[1:-1]
    assert stat.S_IMODE((tmp_path / "again.backup").stat().st_mode) == 0o600
    assert manage(var, "check").returncode == 0


def test_a_restored_site_goes_on(content: bytes, tmp_path: Path) -> None:
    """What waited is judged, and what comes next gets numbers of its own."""
    file = tmp_path / "site.backup"
    file.write_bytes(content)
    manage(tmp_path / "var", "restore", str(file))
    script = (
        "from judge.submissions import judging; from judge.submissions.models import Submission;"
        "from judge.accounts.models import User; from judge.catalog.models import Problem;"
        "from judge.submissions.tests.sandboxes import ACCEPTED, RIGHT, Scripted;"
        "waiting = Submission.objects.get(state='queued'); judging.judge(waiting.pk, Scripted(*ACCEPTED));"
        "User.objects.create_user('eve');"
        "new = Submission.hand_in(User.objects.get(username='ada'), Problem.objects.get(), RIGHT);"
        "print(new.number, Submission.objects.get(pk=waiting.pk).verdict)"
    )

    done = manage(tmp_path / "var", "shell", "--no-imports", "--verbosity", "0", "--command", script)

    assert done.stdout.splitlines()[-1:] == ["2 accepted"], done.stderr


def test_what_is_there_is_not_lost_by_mistake(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "site.backup"
    file.write_bytes(content)
    manage(tmp_path / "var", "restore", str(file))

    refused = manage(tmp_path / "var", "restore", str(file))
    assert refused.returncode == 1
    assert refused.stderr.startswith("CommandError: The database holds ")
    assert refused.stderr.endswith("To lose them, restore with --replace.\n")
    assert manage(tmp_path / "var", "restore", "--replace", str(file)).returncode == 0


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda data: data[: len(data) // 2], "The backup is cut off. Nothing was restored."),
        (lambda data: b"PK" + data, "The file is no backup of Paperjudge."),
        (lambda data: gzip.compress(b'{"paperjudge": "something else"}\n'), "The file is no backup of Paperjudge."),
        (lambda data: _edited(data, b'"accepted"', b'"excepted"'), "The backup is damaged: its checksum is another."),
        (lambda data: _edited(data, b'"format":1', b'"format":9'), "The backup has format 9; this release reads 1."),
        (lambda data: _edited(data, b'"0001_initial"', b'"9999_future"'), "The backup is of a newer release"),
    ],
    ids=["cut", "no gzip", "no backup", "edited", "format", "newer"],
)
def test_a_bad_file_restores_nothing(content: bytes, tmp_path: Path, spoil: object, complaint: str) -> None:
    assert callable(spoil)
    file = tmp_path / "bad.backup"
    file.write_bytes(spoil(content))

    done = manage(tmp_path / "var", "restore", str(file))

    assert done.returncode == 1
    assert done.stderr.startswith(f"CommandError: {complaint}")
    database = sqlite3.connect(tmp_path / "var" / "db.sqlite3")
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE name = 'accounts_user'")}
    assert not tables or database.execute("SELECT count(*) FROM accounts_user").fetchone() == (0,)
    database.close()


def test_a_file_is_never_overwritten(db: None, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("precious")

    with pytest.raises(CommandError, match=r"exists already\. Name another file\."):
        call_command("backup", str(tmp_path / "old"))
    with pytest.raises(CommandError, match="The backup can't be written"):
        call_command("backup", str(tmp_path / "no-folder" / "file"))
    assert (tmp_path / "old").read_text() == "precious"


def test_the_first_release_is_upgraded(tmp_path: Path) -> None:
    """Its tables are made, filled, and brought to the present by the migrations."""
    var = tmp_path / "var"

    done = manage(var, "restore", str(OLD))
    assert done.returncode == 0, done.stderr
    assert manage(var, "migrate", "--check").returncode == 0

    script = (
        "from judge.submissions import judging; from judge.submissions.models import Submission, Draft;"
        "from judge.submissions.tests.sandboxes import ACCEPTED, Scripted;"
        "judging.judge(Submission.objects.get(state='queued').pk, Scripted(*ACCEPTED));"
        "print(*Submission.objects.order_by('number').values_list('verdict', flat=True), Draft.objects.count())"
    )
    done = manage(var, "shell", "--no-imports", "--verbosity", "0", "--command", script)
    assert done.stdout.splitlines()[-1:] == ["accepted accepted 1"], done.stderr


def _edited(data: bytes, old: bytes, new: bytes) -> bytes:
    text = gzip.decompress(data)
    assert old in text
    return gzip.compress(text.replace(old, new, 1))
