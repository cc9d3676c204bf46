"""The commands `verify_problem` and `new_problem`, with the real sandbox and without a database."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from judge.catalog.package import read_folder, version_of
from judge.catalog.tests.packages import PACKAGE

Verify = Callable[..., int]


@pytest.fixture
def verify(sandbox_socket: Path, settings: Settings) -> Verify:
    settings.SANDBOX_SOCKET = sandbox_socket

    def run(*arguments: str | Path) -> int:
        with pytest.raises(SystemExit) as ended:
            call_command("verify_problem", *map(str, arguments))
        assert isinstance(ended.value.code, int)
        return ended.value.code

    return run


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A package, as `new_problem` starts it."""
    call_command("new_problem", "row-norms", "--in", str(tmp_path))
    return tmp_path / "row-norms"


def test_a_new_problem_verifies(started: Path, verify: Verify, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    version = read_folder(started).version

    assert verify(started) == 0

    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0].startswith(f"row-norms {version}: verified (65 runs in ")
    assert lines[2:7] == [
        "correct solutions  2 of 2 pass 7 checks in 5 runs each",
        "known mistakes     8 of 8 fail the checks that they name",
        "required checks    7 of 7 are failed by a known mistake",
        "odd results        8 of 8 are refused",
        "mutants            33 of 33 are noticed (100 %)",
    ]
    assert lines[11].startswith("Tolerances: ")
    assert "wrong/bessel.py: gradient" in told.out
    assert told.err.splitlines() == [
        "the reference: 1 of 1",
        "correct solutions: 9 of 9",
        "mistakes, odd results, mutants: 55 of 55",
    ]


def test_everything_is_one_json_object(started: Path, verify: Verify, capsys: pytest.CaptureFixture[str]) -> None:
    (started / "mutants.toml").write_text("[[equivalent]]\n")
    capsys.readouterr()

    assert verify(started, "--json") == 1

    values = json.loads(capsys.readouterr().out)
    assert sorted(values) == [
        *(
            "budgets",
            "checks",
            "complaints",
            "coverage",
            "jobs",
            "margins",
            "mistakes",
            "mutation",
            "probes",
            "refused",
        ),
        *("seconds", "slug", "solutions", "verified", "version"),
    ]
    assert values["verified"] is False
    assert values["complaints"][0] == {
        "file": "mutants.toml",
        "reason": "equivalent[0].line is missing",
        "remedy": "write a text in quotes",
        "line": 1,
        "severity": "error",
    }
    assert values["mutation"]["percent"] == 100.0
    assert values["checks"][0]["id"] == "value"


def test_what_can_not_be_read_is_told_at_once(
    started: Path, verify: Verify, capsys: pytest.CaptureFixture[str]
) -> None:
    description = (started / "problem.toml").read_text()
    (started / "problem.toml").write_text(description.replace("year = 2016", 'year = "2016"'))
    (started / "starter.py").write_text("x = 1\n")
    (started / "wrong" / "bessel.py").write_text("def standardize(x): return x\n")
    capsys.readouterr()
    files = {path.relative_to(started).as_posix(): path.read_text() for path in started.rglob("*") if path.is_file()}
    version = version_of(files)

    assert verify(started) == 1

    assert capsys.readouterr().out.splitlines() == [
        f"row-norms {version}: NOT verified, 3 errors",
        "",
        "error: problem.toml:11: paper.year is '2016'; write a whole number",
        "error: wrong/bessel.py:1: it does not say which mistake it shows; begin with `# /// mistake`, then title, "
        "fails and hint as TOML in comments, then `# ///`",
        "error: starter.py: it does not define standardize; define every function of [functions]",
    ]


def test_a_name_that_is_no_problem_is_no_verdict(settings: Settings, tmp_path: Path) -> None:
    settings.PROBLEMS = tmp_path

    with pytest.raises(CommandError, match=r"nothing is neither a folder with a problem\.toml nor a problem") as raised:
        call_command("verify_problem", "nothing")

    assert raised.value.returncode == 2


def test_a_problem_is_started_with_a_name_and_a_place_of_its_own(
    started: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    call_command("new_problem", "second", "--in", str(started.parent))

    first, second = read_folder(started), read_folder(started.parent / "second")
    assert (first.slug, first.title, first.position) == ("row-norms", "Row norms", 10)
    assert (second.title, second.position) == ("Second", 20)
    assert second.files["reference.py"] == PACKAGE.reference
    assert capsys.readouterr().out == (
        f"{started.parent}/second is a problem that verifies. Change it, and see that it still does:\n"
        f"  python manage.py verify_problem {started.parent}/second\n"
        "docs/authoring.md explains each file.\n"
    )


@pytest.mark.parametrize(
    ("slug", "complaint"),
    [
        ("row-norms", "row-norms exists; choose another name, or remove it first."),
        ("Row Norms", "'Row Norms' can't be an address; write small letters, digits and hyphens: my-problem."),
        ("../out", "'../out' can't be an address"),
    ],
)
def test_a_name_that_can_not_be_used_is_refused(started: Path, slug: str, complaint: str) -> None:
    with pytest.raises(CommandError) as raised:
        call_command("new_problem", slug, "--in", str(started.parent))

    assert complaint in str(raised.value)
