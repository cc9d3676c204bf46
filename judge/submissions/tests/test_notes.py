from collections.abc import Callable

import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT, THIRD
from judge.tests import halving
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


GUIDE = """\
A half, measured: $\\frac12$.

:::lab temperature tau=0.1 similarities=0.82,0.731 labels=yes,secretly
What the figure says in words, a secret.
:::

:::question Is half of a secret a secret?
Half of the answer.
:::
"""


def test_pages_and_the_data_of_their_figures_are_behind_the_lock(
    signed_in: Client, other: User, client: Client, judged: Callable[[str], Submission]
) -> None:
    Problem.publish(parse("halving", {**halving.FILES, "notes/01-halves.md": GUIDE}))
    submission = judged(THIRD)

    for address in (
        NOTES,
        "/problems/halving/",
        f"/submissions/{submission.pk}/",
        f"/submissions/{submission.pk}/state/",
    ):
        page = signed_in.get(address).content.decode()
        assert not any(part in page for part in ("0.731", "secret", "Half of the answer", "frac12", "data-lab")), (
            address
        )

    judged(RIGHT)
    opened = signed_in.get(NOTES)
    assert 'data-lab="temperature"' in opened.content.decode()
    assert "0.731" in opened.content.decode()
    assert "1 minute to read Why halves 1 min" in words(opened)
    assert "Is half of a secret a secret? Half of the answer." in words(opened)
