"""What is said when a program that tests need is missing."""

import pytest

from tools import programs

NO_CHROMIUM = (
    "Left out: the browser tests (no Chromium here; install it with `sudo apt-get install chromium` "
    "or set PAPERJUDGE_CHROMIUM).\n"
)


@pytest.fixture
def no_chromium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERJUDGE_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setenv("PAPERJUDGE_REDIS_SERVER", "sh")
    monkeypatch.setenv("PAPERJUDGE_POSTGRES", "sh")


def test_nothing_is_said_when_all_is_there(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PAPERJUDGE_CHROMIUM", "sh")
    monkeypatch.setenv("PAPERJUDGE_REDIS_SERVER", "sh")
    monkeypatch.setenv("PAPERJUDGE_POSTGRES", "sh")
    assert programs.main() == 0
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("no_chromium")
def test_what_was_left_out_is_said_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert programs.main() == 0
    assert capsys.readouterr().out == NO_CHROMIUM


@pytest.mark.usefixtures("no_chromium")
def test_in_ci_it_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CI", "true")
    assert programs.main() == 1
    assert capsys.readouterr().out == NO_CHROMIUM
