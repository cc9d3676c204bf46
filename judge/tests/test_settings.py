"""Settings are read once, when a process starts: each test starts one."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from judge.tests.processes import ROOT, start


def test_the_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    show = "from django.conf import settings; print(settings.SECRET_KEY)"

    first, second = start(tmp_path / "var", show), start(tmp_path / "var", show)

    assert first.stdout == second.stdout
    assert len(first.stdout.strip()) >= 64
    assert stat.S_IMODE((tmp_path / "var" / "secret-key").stat().st_mode) == 0o600


def test_all_bad_values_stop_the_start_at_once(tmp_path: Path) -> None:
    values = {
        "PAPERJUDGE_DEBUG": "maybe",
        "PAPERJUDGE_BROKER": "amqp://localhost",
        "PAPERJUDGE_DATABASE": "sqlite:///relative",
        "PAPERJUDGE_ORIGINS": "judge.example.org",
        "PAPERJUDGE_LOG_LEVEL": "loud",
        "PAPERJUDGE_SECRET_KEY": "short",
        "PAPERJUDGE_ACCEPT_UNPROTECTED": "1",
        "PAPERJUDGE_HOSTS": "localhost,judge.example.org",
        "PAPERJUDGE_SANDBOX_SOCKET": "sandbox.sock",
        "PAPERJUDGE_SUBMISSIONS_A_MINUTE": "0",
    }
    environment = {**os.environ, "PAPERJUDGE_VAR": str(tmp_path), **values}

    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Paperjudge can't start: these settings can't be used:",
        "PAPERJUDGE_SANDBOX_SOCKET is 'sandbox.sock': it must be an absolute path.",
        "PAPERJUDGE_DATABASE is 'sqlite:///relative': it must look like sqlite:////absolute/path/of/the/file, with "
        "four slashes.",
        "PAPERJUDGE_BROKER is 'amqp://localhost': it must be filesystem:// or look like redis://host:6379/0.",
        "PAPERJUDGE_SECRET_KEY is shorter than 32 characters: unset it, and one is made under var/.",
        "PAPERJUDGE_DEBUG is 'maybe': it must be 0 or 1.",
        "PAPERJUDGE_ORIGINS is 'judge.example.org': 'judge.example.org' must look like https://judge.example.org.",
        "PAPERJUDGE_ACCEPT_UNPROTECTED is for this machine alone: unset PAPERJUDGE_HOSTS or unset it.",
        "PAPERJUDGE_SUBMISSIONS_A_MINUTE is '0': it must be a whole number from 1 on.",
        "PAPERJUDGE_LOG_LEVEL is 'loud': it must be one of DEBUG, INFO, WARNING, ERROR.",
    ]


@pytest.mark.parametrize("command", [["celery", "-A", "judge", "report"], ["uvicorn", "judge.asgi:application"]])
def test_worker_and_web_stop_too_and_name_the_setting(tmp_path: Path, command: list[str]) -> None:
    environment = {**os.environ, "PAPERJUDGE_VAR": str(tmp_path), "PAPERJUDGE_DEBUG": "maybe"}

    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode != 0
    assert "PAPERJUDGE_DEBUG is 'maybe': it must be 0 or 1." in done.stderr


def test_a_database_address_is_understood_with_its_escapes(tmp_path: Path) -> None:
    show = (
        "from django.conf import settings;"
        "print(*(settings.DATABASES['default'][name] for name in ('USER', 'PASSWORD', 'NAME')))"
    )

    done = start(tmp_path, show, PAPERJUDGE_DATABASE="postgresql://pj:a%2Fb%40c@db.internal:5433/paper")

    assert done.stdout == "pj a/b@c paper\n"


def test_a_setting_may_be_in_a_file_which_is_not_repeated_when_it_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "database"
    file.write_text("postgresql://pj:secret@db/paper\n")
    show = "from django.conf import settings; print(settings.DATABASES['default']['PASSWORD'])"
    assert start(tmp_path, show, PAPERJUDGE_DATABASE_FILE=str(file)).stdout == "secret\n"

    file.write_text("mysql://pj:secret@db/paper\n")
    said = start(tmp_path, show, PAPERJUDGE_DATABASE_FILE=str(file)).stderr.splitlines()[-1]
    assert said == (
        f"PAPERJUDGE_DATABASE_FILE ({file}): it must look like postgresql://user:password@host:5432/name or "
        "sqlite:////path/of/the/file."
    )

    both = {"PAPERJUDGE_DATABASE_FILE": str(file), "PAPERJUDGE_DATABASE": "postgresql://pj:secret@db/paper"}
    said = start(tmp_path, show, **both).stderr.splitlines()[-1]
    assert said == f"PAPERJUDGE_DATABASE_FILE ({file}): PAPERJUDGE_DATABASE is set too; unset one of them."


def test_redis_is_one_setting(tmp_path: Path) -> None:
    show = "from judge import celery_app; print(celery_app.conf.broker_url)"

    assert start(tmp_path, show).stdout == "filesystem://localhost\n"
    assert start(tmp_path, show, PAPERJUDGE_BROKER="redis://broker:6379/1").stdout == "redis://broker:6379/1\n"


@pytest.mark.parametrize(
    "values", [{}, {"PAPERJUDGE_HOSTS": "judge.example.org", "PAPERJUDGE_HTTPS": "1"}], ids=["local", "behind TLS"]
)
def test_the_deployment_check_is_clean(tmp_path: Path, values: dict[str, str]) -> None:
    done = check_deployment(tmp_path, values)

    assert done.stdout.startswith("System check identified no issues")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_site_for_others_without_tls_is_complained_of(tmp_path: Path) -> None:
    done = check_deployment(tmp_path, {"PAPERJUDGE_HOSTS": "judge.example.org"})

    assert done.returncode == 1
    assert all(f"(security.{name})" in done.stderr for name in ("W004", "W008", "W012", "W016"))


def check_deployment(var: Path, values: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    environment = {**os.environ, "PAPERJUDGE_VAR": str(var), **values}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_nothing_that_a_worker_or_the_web_imports_is_torch(tmp_path: Path) -> None:
    script = (
        "import sys, django; django.setup();"
        "from judge import celery_app; celery_app.loader.import_default_modules();"
        "import judge.asgi, judge.urls, judge.submissions.sweep, judge.submissions.management.commands.judge_file;"
        "assert 'judge.submissions.tasks.judge_submission' in celery_app.tasks;"
        "print(sorted({'torch', 'numpy', 'safetensors', 'sandbox.checks'} & set(sys.modules)))"
    )

    done = start(tmp_path, script)

    assert (done.stdout, done.stderr) == ("[]\n", "")
