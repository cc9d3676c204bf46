"""Versions of a package: by content, side by side, published in one step, and independent of any folder."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.test import Client

from judge.accounts.models import AuditEntry
from judge.catalog.models import Origin, PackageVersion, Problem
from judge.catalog.package import parse, parse_all, read_folder, version_of
from judge.tests import halving

pytestmark = pytest.mark.django_db
OTHER = {**halving.FILES, "starter.py": "# Start here.\n"}


def run(command: str, *arguments: str) -> str:
    output = StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue()


def test_a_version_is_the_hash_of_its_content() -> None:
    first = Problem.publish(parse("halving", halving.FILES))
    second = Problem.publish(parse("halving", OTHER))

    assert (first.version, second.version) == (version_of(halving.FILES), version_of(OTHER))
    assert Problem.objects.get().current == second
    assert first.package.starter == halving.FILES["starter.py"]  # it is still there
    assert Problem.publish(parse("halving", halving.FILES)).pk == first.pk
    assert Problem.objects.get().current == first


def test_publishing_happens_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Problem.publish(parse("halving", halving.FILES))

    def fails(problem: Problem, **values: object) -> None:
        raise IntegrityError("the disk is full")

    monkeypatch.setattr(Problem, "save", fails)
    with pytest.raises(IntegrityError):
        Problem.publish(parse("halving", OTHER))

    assert Problem.objects.get().current == first
    assert PackageVersion.objects.count() == 1


def test_a_stored_version_needs_no_folder(problem_folder: Path) -> None:
    published = Problem.publish(read_folder(problem_folder))
    shutil.rmtree(problem_folder)

    version = PackageVersion.objects.get(pk=published.pk)

    assert version.package.files == halving.FILES
    assert version.package.for_judging().checks == {"test_halving.py": halving.FILES["checks/test_halving.py"]}


def test_a_stored_version_outlives_rules_that_came_after_it(signed_in: Client) -> None:
    description = halving.FILES["problem.toml"].replace('venue = "Tests"', 'venue = "Tests 2021"')
    files = {**halving.FILES, "problem.toml": description}
    package, complaints = parse_all("halving", files)
    assert len(complaints) == 1
    Problem.publish(package)

    page = signed_in.get("/problems/halving/")

    assert page.status_code == 200
    assert "Tests 2021" in page.content.decode()


def test_an_uploaded_version_stays_when_the_shipped_ones_are_loaded(problem_folder: Path) -> None:
    shipped = read_folder(problem_folder)
    run("load_problems", str(problem_folder.parent))
    (problem_folder / "starter.py").write_text(OTHER["starter.py"])

    said = run("publish_problem", str(problem_folder))

    uploaded = Problem.objects.get().current
    assert uploaded is not None
    assert said == f"halving: version {uploaded.version}\n"
    assert (uploaded.origin, uploaded.package.starter) == (Origin.UPLOADED, "# Start here.\n")

    (problem_folder / "starter.py").write_text(shipped.starter)
    assert run("load_problems", str(problem_folder.parent)) == (
        f"halving: version {shipped.version}; the uploaded version {uploaded.version} stays published\n"
    )
    assert Problem.objects.get().current == uploaded

    run("load_problems", str(problem_folder.parent), "--replace")
    assert Problem.objects.get().package.version == shipped.version
    assert PackageVersion.objects.count() == 2


def test_a_withdrawn_problem_stays_away_when_the_shipped_ones_are_loaded(problem_folder: Path) -> None:
    run("load_problems", str(problem_folder.parent))

    for _ in range(2):
        Problem.objects.get().withdraw()
    assert [str(entry) for entry in AuditEntry.objects.all()] == [
        "a command: Unpublished halving",
        "a command: Published halving",
    ]

    assert run("load_problems", str(problem_folder.parent)).endswith("; it stays withdrawn\n")
    assert Problem.objects.get().current is None

    run("publish_problem", str(problem_folder))
    assert Problem.objects.get().withdrawn_at is None
    assert Problem.objects.get().current is not None


def test_shipped_and_uploaded_problems_live_side_by_side(problem_folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "elsewhere" / "mine"
    shutil.copytree(problem_folder, mine)
    run("load_problems", str(problem_folder.parent))

    run("publish_problem", str(mine))
    run("load_problems", str(problem_folder.parent))

    assert [problem.slug for problem in Problem.objects.all().in_order()] == ["halving", "mine"]


def test_a_broken_package_is_not_published(problem_folder: Path) -> None:
    (problem_folder / "statement.md").unlink()

    with pytest.raises(CommandError, match=r"not published\.\n  statement.md: this file is missing"):
        run("publish_problem", str(problem_folder))
    with pytest.raises(CommandError, match=r"There is no .*problem\.toml\."):
        run("publish_problem", str(problem_folder / "checks"))

    assert Problem.objects.count() == 0
