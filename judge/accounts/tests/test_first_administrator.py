import stat
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from judge.accounts.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _var(settings: Settings, tmp_path: Path) -> None:
    settings.VAR = tmp_path


def test_the_generated_password_is_shown_once_and_kept_for_its_owner(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("first_administrator")

    file = tmp_path / "administrator-password"
    password = file.read_text().strip()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(password) >= 20
    assert f"Administrator's password: {password}\n" in capsys.readouterr().out
    assert client.login(username="administrator", password=password)
    assert User.objects.get().role == Role.ADMINISTRATOR
    assert client.get("/admin/").status_code == 200


def test_run_again_it_does_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("first_administrator")
    password = (tmp_path / "administrator-password").read_text()
    capsys.readouterr()

    call_command("first_administrator")

    assert capsys.readouterr().out == ""
    assert (tmp_path / "administrator-password").read_text() == password
    assert User.objects.count() == 1


def test_a_learner_of_that_name_is_not_promoted() -> None:
    User.objects.create_user("administrator")

    with pytest.raises(CommandError, match="Somebody signed up as administrator"):
        call_command("first_administrator")

    assert User.objects.get().role == Role.LEARNER
