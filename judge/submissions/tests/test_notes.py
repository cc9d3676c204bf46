from collections.abc import Callable

import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT, THIRD
from judge.tests.pages import words

NOTES = "/problems/halving/notes/"
SECRET = "Half of x is x / 2. This is what passing unlocks."


def test_they_open_at_once_when_the_problem_is_solved(signed_in: Client, judged: Callable[[str], Submission]) -> None:
    judged(THIRD)
    locked = signed_in.get(NOTES)
    assert locked.status_code == 403
    assert "locked" in words(locked)
    assert SECRET not in words(locked)

    judged(RIGHT)
    opened = signed_in.get(NOTES)
    assert opened.status_code == 200
    assert SECRET in words(opened)


def test_another_account_still_gets_403(client: Client, other: User, judged: Callable[[str], Submission]) -> None:
    judged(RIGHT)
    client.force_login(other)

    assert client.get(NOTES).status_code == 403


@pytest.mark.parametrize("address", [NOTES, "/problems/halving/"])
def test_who_is_not_signed_in_sees_none(client: Client, problem: Problem, address: str) -> None:
    response = client.get(address)

    assert response.status_code == (403 if address == NOTES else 200)
    assert SECRET not in words(response)


def test_an_instructor_reads_them_without_solving(client: Client, instructor: User, problem: Problem) -> None:
    client.force_login(instructor)

    assert SECRET in words(client.get(NOTES))
