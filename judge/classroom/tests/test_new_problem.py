"""Starting a package: from the template, from another problem, from a zip file; and getting it back as one."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from judge.catalog.archive import MAX_ARCHIVE_BYTES, write_archive
from judge.catalog.models import Problem
from judge.catalog.package import parse, version_of
from judge.classroom.models import PackageDraft
from judge.tests import halving
from judge.tests.pages import words

pytestmark = pytest.mark.django_db


def zipped(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "application/zip")


def test_from_the_template(teacher: Client, problem: Problem) -> None:
    answer = teacher.post("/teach/new/", {"source": "template", "slug": "row-norms"})

    assert answer.headers["Location"] == "/teach/problems/row-norms/draft/"
    package = parse("row-norms", PackageDraft.objects.get().texts())
    assert (package.title, package.position) == ("Row norms", problem.package.position + 10)


def test_from_another_problem(teacher: Client, problem: Problem) -> None:
    teacher.post("/teach/new/", {"source": "problem", "problem": "halving", "slug": "thirds"})

    draft = PackageDraft.objects.get()
    assert (draft.slug, draft.texts()) == ("thirds", dict(halving.FILES))


def test_from_a_zip_file_that_was_downloaded(teacher: Client, problem: Problem) -> None:
    """The round trip is exact: the same files, byte for byte, and so the same version."""
    odd = {**halving.FILES, "starter.py": "# tabs\t and é 🙂\r\nx = 1  # no end of line", "notes/odd.md": "\ufeffOdd\r"}
    version = Problem.publish(parse("halving", odd))
    first = teacher.get(f"/teach/problems/halving/versions/{version.version}.zip")
    assert first.headers["Content-Disposition"] == f'attachment; filename="halving-{version.version}.zip"'

    teacher.post("/teach/new/", {"source": "zip", "package": zipped("any.zip", first.content)})

    draft = PackageDraft.objects.get()
    assert (draft.slug, version_of(draft.texts())) == ("halving", version.version)
    assert teacher.get("/teach/problems/halving/draft.zip").content == first.content
    with zipfile.ZipFile(io.BytesIO(first.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            f"halving/{name}": text.encode() for name, text in odd.items()
        }


def test_a_zip_file_without_a_folder_takes_its_own_name(teacher: Client) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("problem.toml", "")

    teacher.post("/teach/new/", {"source": "zip", "package": zipped("my-paper.zip", content.getvalue())})

    assert PackageDraft.objects.get().slug == "my-paper"


def test_a_hostile_zip_file_is_refused_with_the_name_of_the_file(teacher: Client) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("problem.toml", "")
        archive.writestr("../../<b>evil</b>.py", "x = 1")

    answer = teacher.post("/teach/new/", {"source": "zip", "slug": "a", "package": zipped("a.zip", content.getvalue())})

    assert answer.status_code == 400
    assert "../../<b>evil</b>.py: its name leads out of the folder; rename it." in words(answer)
    assert b"<b>evil" not in answer.content
    assert not PackageDraft.objects.exists()


def test_a_zip_file_that_is_too_large_is_refused(teacher: Client) -> None:
    large = zipped("a.zip", b"PK" + b"\0" * MAX_ARCHIVE_BYTES)

    assert "the zip file: it has more than" in words(teacher.post("/teach/new/", {"source": "zip", "package": large}))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"source": "template", "slug": ""}, "Write small letters, digits and hyphens, such as: row-norms."),
        ({"source": "template", "slug": "Row Norms"}, "Write small letters, digits and hyphens"),
        ({"source": "template", "slug": "a" * 51}, "at most 50 characters"),
        ({"source": "problem", "slug": "a"}, "Choose a problem."),
        ({"source": "problem", "problem": "nothing", "slug": "a"}, "Choose a problem."),
        ({"source": "zip"}, "Choose a zip file."),
        ({"source": "elsewhere", "slug": "a"}, "elsewhere is not one of the available choices"),
        ({}, "This field is required"),
    ],
)
def test_what_makes_no_package_is_refused(teacher: Client, fields: dict[str, str], said: str) -> None:
    answer = teacher.post("/teach/new/", {**fields, "x": "y"})

    assert answer.status_code == 400
    assert said in words(answer)


def test_somebody_elses_draft_is_not_overwritten_unasked(teacher: Client, draft: PackageDraft) -> None:
    again = {"source": "template", "slug": draft.slug}

    refused = teacher.post("/teach/new/", again)
    assert "row-norms is being written already. Choose another name, or replace that draft." in words(refused)
    assert PackageDraft.objects.get() == draft

    teacher.post("/teach/new/", {**again, "replace": "on"})
    assert PackageDraft.objects.get() != draft


def test_a_package_that_can_not_be_read_can_still_be_edited(teacher: Client) -> None:
    content = write_archive("a", {"problem.toml": "[[[[", "reference.py": "-" * 60_000})

    page = teacher.post("/teach/new/", {"source": "zip", "package": zipped("a.zip", content)}, follow=True)

    assert page.status_code == 200
    found = teacher.get("/teach/problems/a/draft/complaints/").json()["complaints"]
    reasons = [complaint["reason"] for complaint in found]
    assert "it is nested too deep to be read" in reasons
    assert "this file is missing" in reasons
