"""Seeing the site as a learner: their pages, nothing changed, nobody's rights widened."""

import pytest
from django.test import Client

from judge.accounts.models import Action, AuditEntry, Role, User
from judge.catalog.models import Problem
from judge.classroom.tests.runs import hand_in
from judge.submissions.models import Draft, Submission

BANNER = "You see this site as <strong>ada</strong> sees it. Nothing can be changed."


def test_pages_are_those_of_the_learner(learner: User, problem: Problem, teacher: Client) -> None:
    hand_in(learner, problem, "fpp")
    assert teacher.get("/problems/halving/notes/").status_code == 200

    page = teacher.post(f"/teach/view-as/{learner.pk}/", {"page": "/problems/halving/submissions/"}, follow=True)

    assert BANNER in page.content.decode()
    assert "Run 1" in page.content.decode()
    assert teacher.get("/problems/halving/notes/").status_code == 403, "they have not solved it"
    assert teacher.get("/teach/").status_code == 404
    assert AuditEntry.objects.filter(actor="ina").values_list("actor", "action", "subject").get() == (
        "ina",
        Action.VIEWED,
        "ada",
    )


def test_nothing_is_changed(learner: User, problem: Problem, teacher: Client) -> None:
    teacher.post(f"/teach/view-as/{learner.pk}/")

    draft = teacher.put("/problems/halving/draft/", {"source": "x"}, content_type="application/json")
    run = teacher.post("/problems/halving/submissions/", {"source": "x"})

    assert (draft.status_code, draft.json()["error"]["code"]) == (403, "read_only")
    assert (run.status_code, "Nothing was changed" in run.content.decode()) == (403, True)
    assert not Draft.objects.exists()
    assert not Submission.objects.exists()


def test_the_editor_knows_it(learner: User, problem: Problem, teacher: Client) -> None:
    assert teacher.get("/problems/halving/").context["data"]["read_only"] is False
    teacher.post(f"/teach/view-as/{learner.pk}/")
    assert teacher.get("/problems/halving/").context["data"]["read_only"] is True


def test_stopping_leads_back(learner: User, teacher: Client) -> None:
    teacher.post(f"/teach/view-as/{learner.pk}/")
    stopped = teacher.post("/teach/view-as/stop/", follow=True)

    assert stopped.redirect_chain == [("/teach/", 302)]
    assert BANNER not in stopped.content.decode()


def test_a_new_learner_has_done_nothing(problem: Problem, teacher: Client) -> None:
    teacher.post("/teach/view-as/0/")

    assert "a new learner" in teacher.get("/").content.decode()
    assert teacher.get("/problems/halving/").status_code == 200
    assert teacher.get("/problems/halving/submissions/").status_code == 200
    assert teacher.get("/problems/halving/notes/").status_code == 403
    assert "The editor" not in teacher.get("/teach/").content.decode()


@pytest.mark.parametrize("role", [Role.INSTRUCTOR, Role.ADMINISTRATOR])
def test_only_learners_can_be_looked_through(role: Role, other: User, teacher: Client) -> None:
    other.give_role(role)
    assert teacher.post(f"/teach/view-as/{other.pk}/").status_code == 404


def test_a_learner_who_becomes_an_administrator_is_no_longer_looked_through(learner: User, teacher: Client) -> None:
    teacher.post(f"/teach/view-as/{learner.pk}/")
    learner.give_role(Role.ADMINISTRATOR)

    assert teacher.get("/status/").status_code == 403, "an instructor's own rights"


def test_who_no_longer_teaches_no_longer_looks(learner: User, instructor: User, teacher: Client) -> None:
    teacher.post(f"/teach/view-as/{learner.pk}/")
    instructor.give_role(Role.LEARNER)

    assert BANNER not in teacher.get("/").content.decode()
