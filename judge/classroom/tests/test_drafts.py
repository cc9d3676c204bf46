"""Writing a package: files are saved one by one, and nobody overwrites what somebody else has written."""

import json
from typing import Any

import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.classroom.models import BadFile, Conflict, DraftFile, PackageDraft
from judge.tests.pages import words

pytestmark = pytest.mark.django_db
URL = "/teach/problems/row-norms/draft/"


def send(client: Client, method: str, **body: Any) -> Any:
    return getattr(client, method)(f"{URL}file/", json.dumps(body), content_type="application/json")


def test_a_file_is_saved_and_there_after_a_reload(teacher: Client, draft: PackageDraft) -> None:
    saved = send(teacher, "put", path="starter.py", text="# Begin here.\n", revision=1)

    assert saved.json() == {"path": "starter.py", "text": "# Begin here.\n", "revision": 2}
    page = teacher.get(f"{URL}?file=starter.py")
    assert page.context["data"]["opened"] == saved.json()
    assert draft.texts()["starter.py"] == "# Begin here.\n"


def test_who_saves_an_older_text_is_told_so(
    teacher: Client, draft: PackageDraft, instructor: User, other: User
) -> None:
    draft.save_file("starter.py", "theirs", 1, other)

    refused = send(teacher, "put", path="starter.py", text="mine", revision=1)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")
    assert draft.texts()["starter.py"] == "theirs"

    assert teacher.get(f"{URL}file/?path=starter.py").json() == {"path": "starter.py", "text": "theirs", "revision": 2}
    assert send(teacher, "put", path="starter.py", text="mine", revision=2).status_code == 200


def test_a_request_that_comes_twice_is_no_conflict(teacher: Client, draft: PackageDraft) -> None:
    for _ in range(2):
        assert send(teacher, "put", path="starter.py", text="mine", revision=1).json()["revision"] == 2


def test_two_people_in_different_files_do_not_disturb_one_another(
    draft: PackageDraft, instructor: User, other: User
) -> None:
    draft.save_file("starter.py", "mine", 1, instructor)
    draft.save_file("reference.py", "theirs", 1, other)

    assert (draft.texts()["starter.py"], draft.texts()["reference.py"]) == ("mine", "theirs")


def test_files_are_added_renamed_and_removed(teacher: Client, draft: PackageDraft) -> None:
    assert send(teacher, "put", path="wrong/new.py", text="x = 1\n", revision=0).json()["revision"] == 1
    renamed = send(teacher, "post", path="wrong/new.py", to="wrong/newer.py", revision=1)
    assert renamed.json() == {"path": "wrong/newer.py", "text": "x = 1\n", "revision": 2}
    assert send(teacher, "delete", path="wrong/newer.py", revision=1).status_code == 409
    assert send(teacher, "delete", path="wrong/newer.py", revision=2).status_code == 200
    assert {"wrong/new.py", "wrong/newer.py"}.isdisjoint(draft.texts())
    gone = send(teacher, "put", path="wrong/newer.py", text="x = 2\n", revision=2)
    assert (gone.status_code, gone.json()["error"]["code"]) == (409, "gone")


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("../evil.py", "", "../evil.py: its name leads out of the folder."),
        ("/etc/passwd", "", "/etc/passwd: its name is absolute."),
        ("wrong/a b.py", "", "other characters"),
        ("", "", "other characters"),
        ("STARTER.py", "", "STARTER.py: its name differs from starter.py in capitals only."),
        ("checks", "", "checks: it is a file, and checks/oracle.py is in a folder of that name."),
        ("starter.py/a.py", "", "starter.py/a.py: it is in a folder, and starter.py is a file of that name."),
        ("wrong/a.py", "x" * 70_000, "wrong/a.py: it has 70,000 bytes, and 65,536 are allowed."),
        ("wrong/a.py", "a\n\0", "wrong/a.py: line 2 has a null byte."),
        ("wrong/a.py", "\ud800", "wrong/a.py: it has half of a character."),
    ],
)
def test_a_file_that_is_no_part_of_a_package_is_refused(
    teacher: Client, draft: PackageDraft, path: str, text: str, said: str
) -> None:
    refused = send(teacher, "put", path=path, text=text, revision=0)

    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_file")
    assert said in refused.json()["error"]["message"]


def test_a_package_has_an_end(draft: PackageDraft, instructor: User) -> None:
    DraftFile.objects.bulk_create(DraftFile(draft=draft, path=f"wrong/m{n}.py", text="#" * 60_000) for n in range(34))

    with pytest.raises(BadFile, match="2,097,152 bytes at most"):
        draft.save_file("wrong/one_more.py", "#" * 60_000, 0, instructor)

    DraftFile.objects.filter(path__startswith="wrong/m").update(text="")
    DraftFile.objects.bulk_create(DraftFile(draft=draft, path=f"wrong/n{n}.py") for n in range(400))
    with pytest.raises(BadFile, match="400 files at most"):
        draft.save_file("wrong/one_more.py", "", 0, instructor)


def test_a_name_that_is_taken_is_not_given_twice(draft: PackageDraft, instructor: User) -> None:
    with pytest.raises(BadFile, match=r"There is a file starter\.py already"):
        draft.rename_file("reference.py", "starter.py", 1, instructor)
    with pytest.raises(Conflict):
        draft.rename_file("nothing.py", "new.py", 1, instructor)


@pytest.mark.parametrize("body", ["{", "[]", "{}", '{"path": 1, "revision": 1}', '{"path": "a", "revision": true}'])
def test_what_is_no_request_is_refused(teacher: Client, draft: PackageDraft, body: str) -> None:
    answer = teacher.put(f"{URL}file/", body, content_type="application/json")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


def test_complaints_come_with_file_and_line(teacher: Client, draft: PackageDraft) -> None:
    assert teacher.get(f"{URL}complaints/").json()["complaints"] == []
    text = draft.texts()["problem.toml"].replace("year = ", "yaer = ")
    send(teacher, "put", path="problem.toml", text=text, revision=1)
    send(teacher, "put", path="reference.py", text="def f(:\n", revision=1)

    found = {
        (complaint["file"], complaint["line"]) for complaint in teacher.get(f"{URL}complaints/").json()["complaints"]
    }

    line = text.splitlines().index(next(line for line in text.splitlines() if line.startswith("yaer"))) + 1
    assert ("problem.toml", line) in found
    assert ("reference.py", 1) in found


def test_the_preview_is_what_learners_would_see_and_inert(teacher: Client, draft: PackageDraft) -> None:
    text = "# Loss $x$ {#loss}\n\n<script>alert(1)</script>"
    answer = teacher.post(f"{URL}preview/", json.dumps({"text": text}), content_type="application/json")

    assert answer.json()["html"].startswith('<h1 id="loss">Loss <span class="math inline">x</span></h1>')
    assert "<script" not in answer.json()["html"]


def test_without_scripts_a_file_is_saved_by_a_form(teacher: Client, draft: PackageDraft) -> None:
    form = {"path": "starter.py", "text": "# One\r\n# Two\r\n", "revision": "1"}

    assert teacher.post(URL, form).headers["Location"] == f"{URL}?file=starter.py"
    assert draft.texts()["starter.py"] == "# One\n# Two\n"

    refused = teacher.post(URL, {**form, "text": "# Three\n"})
    assert refused.status_code == 409
    assert "Somebody else has changed this file meanwhile." in words(refused)


def test_a_draft_of_a_published_problem_starts_with_what_it_says(
    teacher: Client, problem: Problem, instructor: User
) -> None:
    draft = PackageDraft.opened(problem, instructor)

    assert (draft.texts(), draft.based_on) == (problem.package.files, problem.current)
    assert PackageDraft.opened(problem, instructor) == draft


def test_discarding_leaves_nothing_behind(
    teacher: Client, draft: PackageDraft, problem: Problem, instructor: User
) -> None:
    assert teacher.post(f"{URL}discard/").headers["Location"] == "/teach/"
    assert not PackageDraft.objects.exists()

    PackageDraft.opened(problem, instructor)
    answer = teacher.post("/teach/problems/halving/draft/discard/")
    assert answer.headers["Location"] == "/teach/problems/halving/"
