from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judge.catalog.models import PackageVersion, Problem

pytestmark = pytest.mark.django_db


def load(folder: Path) -> str:
    output = StringIO()
    call_command("load_problems", str(folder), stdout=output)
    return output.getvalue()


def test_publishes_what_lies_in_the_folder(problem_folder: Path) -> None:
    (problem_folder.parent / "no-problem").mkdir()

    said = load(problem_folder.parent)

    problem = Problem.objects.get()
    assert said == f"halving: version {problem.package.version}\n"
    assert problem.package.title == "Halving"


def test_run_again_it_changes_nothing(problem_folder: Path) -> None:
    load(problem_folder.parent)
    load(problem_folder.parent)

    assert PackageVersion.objects.count() == 1


def test_a_change_is_a_new_version_beside_the_old_one(problem_folder: Path) -> None:
    load(problem_folder.parent)
    (problem_folder / "starter.py").write_text("# Start here.\n")

    load(problem_folder.parent)

    assert PackageVersion.objects.count() == 2
    assert Problem.objects.get().package.starter == "# Start here.\n"


def test_a_broken_package_is_named_and_the_others_are_loaded(problem_folder: Path) -> None:
    broken = problem_folder.parent / "broken"
    broken.mkdir()
    (broken / "problem.toml").write_text("format = 1\n")

    with pytest.raises(CommandError, match=r"broken:\n  statement.md: this file is missing"):
        load(problem_folder.parent)

    assert Problem.objects.get().slug == "halving"


def test_a_site_starts_with_a_broken_package_beside_the_others(problem_folder: Path) -> None:
    load(problem_folder.parent)
    before = Problem.objects.get().current
    (problem_folder / "problem.toml").write_text("format = 1\n")
    complaints = StringIO()

    call_command("load_problems", str(problem_folder.parent), lenient=True, stdout=StringIO(), stderr=complaints)

    assert "halving:\n  problem.toml" in complaints.getvalue()
    assert Problem.objects.get().current == before
