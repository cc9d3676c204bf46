"""The audit: what is written into it, who reads it, and that nothing changes it."""

from typing import Any

import pytest
from django.test import Client

from judge.accounts.audit import record
from judge.accounts.models import Action, AuditEntry, AuditIsFixed, Role, User
from judge.catalog.models import Problem
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests.pages import links, words

pytestmark = pytest.mark.django_db


def test_looking_at_somebodys_submission_is_written_down(
    client: Client, instructor: User, learner: User, problem: Problem
) -> None:
    run = Submission.hand_in(learner, problem, RIGHT)
    client.force_login(instructor)

    client.get(f"/submissions/{run.pk}/")
    client.force_login(learner)
    client.get(f"/submissions/{run.pk}/")

    (entry,) = AuditEntry.objects.exclude(action=Action.PUBLISHED)
    assert (entry.actor, entry.action, entry.subject) == ("ina", Action.LOOKED, "halving, run 1 of ada")
    assert (entry.kind, entry.key) == ("submission", str(run.pk))


def test_a_changed_role_is_written_down(client: Client, administrator: User, learner: User) -> None:
    client.force_login(administrator)

    client.post(f"/teach/people/{learner.pk}/role/", {"role": "instructor"})
    client.post(f"/teach/people/{learner.pk}/role/", {"role": "instructor"})  # nothing changes

    (entry,) = AuditEntry.objects.all()
    assert (entry.actor, entry.subject, entry.details) == ("adm", "ada", {"old": "learner", "new": "instructor"})


def test_a_role_changed_in_the_administration_is_written_down_too(
    client: Client, administrator: User, learner: User
) -> None:
    client.force_login(administrator)

    form = {"username": "ada", "role": "administrator", "is_active": "on"}
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    client.post(f"/admin/accounts/user/{learner.pk}/change/", {**form, **dates})

    (entry,) = AuditEntry.objects.all()
    assert (entry.actor, entry.details) == ("adm", {"old": "learner", "new": "administrator"})
    assert User.objects.get(pk=learner.pk).is_staff


def test_an_entry_outlives_whom_it_names(administrator: User, learner: User) -> None:
    record(administrator, Action.ROLE, learner, learner.username)

    User.objects.all().delete()

    assert str(AuditEntry.objects.get()) == "adm: Changed a role ada"


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry.save(),
        lambda entry: entry.delete(),
        lambda entry: AuditEntry.objects.update(actor="nobody"),
        lambda entry: AuditEntry.objects.all().delete(),
        lambda entry: AuditEntry.objects.filter(pk=entry.pk).update(actor="nobody"),
        lambda entry: AuditEntry.objects.bulk_update([entry], ["actor"]),
        lambda entry: AuditEntry.objects.update_or_create(pk=entry.pk, defaults={"actor": "nobody"}),
        lambda entry: AuditEntry._base_manager.filter(pk=entry.pk).update(actor="nobody"),
        lambda entry: AuditEntry.objects.bulk_create(
            [entry], update_conflicts=True, update_fields=["actor"], unique_fields=["pk"]
        ),
    ],
)
def test_nothing_changes_or_deletes_an_entry(change: Any, administrator: User, learner: User) -> None:
    entry = record(administrator, Action.ROLE, learner, learner.username)
    entry.actor = "nobody"

    with pytest.raises(AuditIsFixed):
        change(entry)

    assert AuditEntry.objects.get().actor == "adm"


def test_the_administration_shows_it_without_a_way_to_change_it(client: Client, administrator: User) -> None:
    entry = record(administrator, Action.ROLE, administrator, "adm")
    client.force_login(administrator)

    page = client.get(f"/admin/accounts/auditentry/{entry.pk}/change/")
    refused = client.post(f"/admin/accounts/auditentry/{entry.pk}/change/", {"subject": "nobody"})
    client.post("/admin/accounts/auditentry/", {"action": "delete_selected", "_selected_action": entry.pk})

    assert "Save" not in words(page)
    assert refused.status_code == 403
    assert AuditEntry.objects.get().subject == "adm"


def test_administrators_read_it_by_person_and_by_action(
    client: Client, administrator: User, instructor: User, learner: User, problem: Problem
) -> None:
    run = Submission.hand_in(learner, problem, RIGHT)
    record(instructor, Action.LOOKED, run, run.words)
    record(administrator, Action.ROLE, learner, "ada", old="learner", new="instructor")
    client.force_login(administrator)

    everything, hers = client.get("/teach/audit/"), client.get("/teach/audit/?who=ina")
    roles = client.get("/teach/audit/?what=role")

    assert "a command Published halving" in words(everything)
    assert "ina Looked at a submission halving, run 1 of ada" in words(everything)
    assert f"/submissions/{run.pk}/" in links(everything)
    assert "adm Changed a role ada old learner, new instructor" in words(roles)
    assert [entry.actor for entry in hers.context["entries"]] == ["ina"]
    assert [entry.action for entry in roles.context["entries"]] == ["role"]


def test_who_was_an_administrator_is_one_no_longer(client: Client, administrator: User, other: User) -> None:
    other.give_role(Role.ADMINISTRATOR)
    client.force_login(administrator)
    client.post(f"/teach/people/{other.pk}/role/", {"role": "learner"})

    client.force_login(User.objects.get(pk=other.pk))

    assert client.get("/teach/people/").status_code == 404
    assert client.get("/admin/").headers["Location"] == "/admin/login/?next=/admin/"


def test_nobody_changes_their_own_role(client: Client, administrator: User) -> None:
    client.force_login(administrator)

    page = client.post(f"/teach/people/{administrator.pk}/role/", {"role": "learner"})

    assert (page.status_code, User.objects.get().role) == (400, "administrator")
    assert "Nobody changes their own role. Ask another administrator." in words(page)
