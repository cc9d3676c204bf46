"""The command line: the real sandbox, no web, no queue, no database."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge.submissions.tests.sandboxes import RIGHT, THIRD
from judge.tests import halving_mistakes

MANAGE = Path(__file__).resolve().parents[3] / "manage.py"
THREE_CHECKS = ["two", "zero", "unchanged"]


@pytest.fixture
def run(tmp_path: Path, sandbox_socket: Path, problem_folder: Path) -> Any:
    """Runs the command in `tmp_path`, where `right.py` and `third.py` lie, with a database that can't be opened."""
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "third.py").write_text(THIRD)
    environment = {
        **os.environ,
        "PAPERJUDGE_VAR": str(tmp_path / "var"),
        "PAPERJUDGE_PROBLEMS": str(tmp_path),
        "PAPERJUDGE_DATABASE": "sqlite:////nowhere/db.sqlite3",
        "PAPERJUDGE_SANDBOX_SOCKET": str(sandbox_socket),
    }

    def judge(*arguments: str, folder: Path = tmp_path, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(MANAGE), "judge_file", *arguments]
        return subprocess.run(
            command, cwd=folder, env={**environment, **more}, capture_output=True, text=True, check=False
        )

    return judge


def rows(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_right_file_exits_with_0(run: Any) -> None:
    done = run("halving", "right.py", "--json")

    (row,) = rows(done)
    assert done.returncode == 0
    assert list(row) == ["file", "problem", "version", "verdict", "checks", "output", "diagnosis", "ms"]
    assert (row["file"], row["problem"], row["verdict"]) == ("right.py", "halving", "accepted")
    assert (row["output"], row["diagnosis"]) == ("", [])
    assert len(row["version"]) == 16
    assert row["ms"] > 0
    assert [check["id"] for check in row["checks"]] == THREE_CHECKS
    check = row["checks"][0]
    assert list(check) == ["id", "title", "section", "required", "status", "message", "details", "ms"]
    assert check["title"] == "Two becomes one"
    assert (check["section"], check["required"], check["status"]) == ("halving", True, "passed")


def test_many_files_are_a_line_each_and_one_wrong_exits_with_1(run: Any) -> None:
    done = run("halving", "right.py", "third.py", "right.py", "--json")

    assert [row["verdict"] for row in rows(done)] == ["accepted", "wrong_answer", "accepted"]
    assert done.returncode == 1


def test_a_folder_and_relative_paths_work_from_anywhere(run: Any, tmp_path: Path) -> None:
    elsewhere = tmp_path / "some" / "where"
    elsewhere.mkdir(parents=True)

    done = run("../../halving", "../../right.py", "--json", folder=elsewhere, PAPERJUDGE_PROBLEMS="/nowhere")

    assert [row["verdict"] for row in rows(done)] == ["accepted"]
    assert done.returncode == 0


@pytest.fixture
def mistakes(problem_folder: Path) -> None:
    """The problem has known mistakes."""
    for name, text in halving_mistakes.FILES.items():
        (problem_folder / name).parent.mkdir(exist_ok=True)
        (problem_folder / name).write_text(text)


@pytest.mark.usefixtures("mistakes")
def test_known_mistakes_are_named_and_judged_once(run: Any, tmp_path: Path) -> None:
    first, again = rows(run("halving", "third.py", "--json")), rows(run("halving", "third.py", "right.py", "--json"))

    (named,) = first[0]["diagnosis"]
    assert (named["mistake"], named["sureness"], named["checks"]) == ("wrong/third.py", "sure", ["two"])
    assert named["says_html"] == "<p>Your function divides by <code>3</code>.</p>\n"
    assert [row["diagnosis"] for row in again] == [[named], []]
    (kept,) = (tmp_path / "var" / "signatures").iterdir()
    assert kept.name.startswith(f"halving-{first[0]['version']}")
    assert [signature["mistake"] for signature in json.loads(kept.read_text())] == ["wrong/third.py"]


@pytest.mark.usefixtures("mistakes")
def test_people_read_the_mistake_first(run: Any) -> None:
    lines = run("halving", "third.py").stdout.splitlines()

    assert lines[2:5] == [
        "  Your function divides by `3`.",
        "  Sure: 1 check fails exactly as with this mistake.",
        "  Hint: A half is not a third.",
    ]


@pytest.mark.usefixtures("mistakes")
def test_signatures_that_can_not_be_read_are_made_again(run: Any, tmp_path: Path) -> None:
    run("halving", "third.py")
    (kept,) = (tmp_path / "var" / "signatures").iterdir()
    kept.write_text("[{}")

    assert rows(run("halving", "third.py", "--json"))[0]["diagnosis"][0]["mistake"] == "wrong/third.py"


@pytest.mark.usefixtures("mistakes")
def test_no_mistake_is_named_if_nobody_wants_it(run: Any, tmp_path: Path) -> None:
    assert rows(run("halving", "third.py", "--json", "--no-diagnosis"))[0]["diagnosis"] == []
    assert not (tmp_path / "var" / "signatures").exists()


def test_people_read_what_failed_first(run: Any) -> None:
    done = run("halving", "third.py")

    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert lines[0].startswith("third.py: wrong answer (2 of 3 checks passed, ")
    assert lines[1:3] == ["", "  FAILED  Two becomes one  [Halving]"]
    assert "expected 1, got 0.666667" in lines[3]
    assert lines[4:] == [
        "          Hint: Divide by **two**.",
        "",
        "  Halving: 1 of 2 passed",
        "  Taking care: 1 of 1 passed",
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "halve"),
        (b"\n\ndef halve(x:\n", "line 3"),
        (b"\xff\xfe", "Line 1 is not UTF-8 text. Save the file as UTF-8."),
        (b"a = 1\nb = '\0'\n", "What stands in line 2, column 6, is a null byte"),
        (b"#" * 70_000, "The file has 70,000 bytes; at most 65,536 (64 kB) are judged."),
    ],
    ids=["empty", "syntax", "binary", "null", "large"],
)
def test_a_file_that_can_not_run_is_a_verdict(run: Any, tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "bad.py").write_bytes(content)

    done = run("halving", "bad.py", "right.py", "--json")

    bad, right = rows(done)
    assert (bad["verdict"], right["verdict"]) == ("runtime_error", "accepted")
    assert said in bad["output"]
    assert done.returncode == 1
    assert said in run("halving", "bad.py").stdout


def test_terminal_escapes_stay_harmless(run: Any, tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("print('\\x1b]0;gotcha\\x07')\n" + RIGHT)

    done = run("halving", "loud.py")

    assert "␛]0;gotcha␇" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_byte_order_mark_is_no_mistake(run: Any, tmp_path: Path) -> None:
    (tmp_path / "windows.py").write_bytes(b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode())

    assert run("halving", "windows.py").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["halving", "missing.py"], "There is no file missing.py."),
        (
            ["nothing", "right.py"],
            "nothing is neither a folder with a problem.toml nor a problem; problems are: halv",
        ),
    ],
)
def test_a_wrong_call_exits_with_2(run: Any, arguments: list[str], said: str) -> None:
    done = run(*arguments)

    assert done.returncode == 2
    assert said in done.stderr


def test_a_broken_package_is_explained(run: Any, problem_folder: Path) -> None:
    (problem_folder / "starter.py").unlink()

    done = run("halving", "right.py")

    assert done.returncode == 2
    assert "starter.py: this file is missing; add it" in done.stderr


def test_a_broken_check_is_a_judge_error_and_exits_with_2(run: Any, problem_folder: Path) -> None:
    file = problem_folder / "checks" / "test_halving.py"
    file.write_text(file.read_text().replace("torch.zeros(3))", "torch.zeroes(3))", 1))

    done = run("halving", "right.py", "--json")

    assert [row["verdict"] for row in rows(done)] == ["judge_error"]
    assert done.returncode == 2


def test_without_a_running_sandbox_one_is_started_for_the_command(run: Any, tmp_path: Path) -> None:
    done = run("halving", "right.py", "--json", PAPERJUDGE_SANDBOX_SOCKET=str(tmp_path / "no.sock"))

    assert [row["verdict"] for row in rows(done)] == ["accepted"]
    assert done.returncode == 0
