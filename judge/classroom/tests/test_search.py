"""Finding runs by everything that they can be found by, a page at a time, and as a file."""

import csv
import datetime
import io

import pytest
from django.test import Client
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.classroom.exports import csv_file
from judge.classroom.search import A_PAGE, Page, Search, SearchForm
from judge.classroom.tests.runs import hand_in, hand_in_a_fault, sign
from judge.submissions.models import Diagnosis, Submission


def found(**given: str) -> list[str]:
    form = SearchForm(given)
    assert form.is_valid(), form.errors
    return [f"{run.user.username} {run.number}" for run in Page.of(Search(form.cleaned_data)).submissions]


@pytest.fixture
def runs(learner: User, other: User, problem: Problem) -> list[Submission]:
    """Of ada: fails `two`, then solves it; of ben: one fails `zero`, one is our fault."""
    sign(problem)
    return [
        hand_in(learner, problem, "fpp"),
        hand_in(learner, problem, "ppp"),
        hand_in(other, problem, "pfn"),
        hand_in_a_fault(other, problem),
    ]


@pytest.mark.usefixtures("runs")
def test_without_a_wish_all_are_found_the_newest_first() -> None:
    assert found() == ["ben 2", "ben 1", "ada 2", "ada 1"]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"learner": "ada"}, ["ada 2", "ada 1"]),
        ({"learner": "be"}, ["ben 2", "ben 1"]),
        ({"learner": "nobody"}, []),
        ({"verdict": "accepted"}, ["ada 2"]),
        ({"verdict": "judge_error"}, ["ben 2"]),
        ({"verdict": "unfinished"}, []),
        ({"problem": "halving", "check": "two"}, ["ada 1"]),
        ({"problem": "halving", "check": "unchanged", "outcome": "not_reached"}, ["ben 1"]),
        ({"problem": "halving", "check": "zero", "outcome": "passed"}, ["ada 2", "ada 1"]),
        ({"problem": "halving", "check": "zero", "which": "latest", "outcome": "wrong_value"}, ["ben 1"]),
        ({"problem": "halving", "check": "zero", "which": "latest", "outcome": "raised"}, []),
        ({"problem": "halving", "which": "latest"}, ["ben 1", "ada 2"]),
        ({"problem": "halving", "which": "solved"}, ["ada 2"]),
        ({"problem": "halving", "which": "first"}, ["ben 1", "ada 1"]),
        ({"problem": "halving", "which": "stuck"}, []),
        ({"problem": "halving", "diagnosis": "none"}, ["ben 1", "ada 1"]),
        ({"problem": "halving", "version": "0000000000000000"}, []),
        ({"since": "2020-01-01", "until": "2020-02-01"}, []),
    ],
    ids=str,
)
def test_each_wish(given: dict[str, str], expected: list[str]) -> None:
    assert found(**given) == expected


def test_a_diagnosis_with_a_check_must_explain_that_check(runs: list[Submission]) -> None:
    Diagnosis.objects.create(submission=runs[0], order=0, mistake="wrong/x.py", sureness="sure", checks=["two"])

    assert found(diagnosis="wrong/x.py") == ["ada 1"]
    assert found(problem="halving", check="two", diagnosis="wrong/x.py") == ["ada 1"]
    assert found(problem="halving", check="zero", diagnosis="wrong/x.py") == []
    assert found(problem="halving", check="two", diagnosis="none") == []


def test_runs_that_fail_alike(runs: list[Submission]) -> None:
    assert found(problem="halving", pattern=runs[0].pattern) == ["ada 1"]


@pytest.mark.usefixtures("runs")
def test_both_days_of_a_span_are_meant() -> None:
    today = timezone.now().date()
    Submission.objects.filter(number=1).update(created_at=timezone.now() - datetime.timedelta(days=3))

    assert found(since=str(today), until=str(today)) == ["ben 2", "ada 2"]
    assert len(found(since=str(today - datetime.timedelta(days=3)))) == 4


@pytest.mark.usefixtures("runs")
def test_a_wish_that_needs_a_problem_says_so(teacher: Client) -> None:
    page = teacher.get("/teach/submissions/?check=two").content.decode()

    assert "Choose a problem: without one, &#x27;check&#x27; means nothing." in page


def test_pages_follow_each_other_by_key_in_both_directions(learner: User, problem: Problem) -> None:
    first = hand_in(learner, problem, "fpp")
    now = timezone.now()
    Submission.objects.bulk_create(
        Submission(
            user=learner,
            problem=problem,
            version=first.version,
            number=number,
            # Some share a moment: then the key decides.
            created_at=now + datetime.timedelta(seconds=number // 3),
        )
        for number in range(2, 2 * A_PAGE + 12)
    )
    search = Search({})
    everything = [run.pk for run in search.found()]

    one = Page.of(search)
    two = Page.of(search, before=one.older)
    three = Page.of(search, before=two.older)
    back = Page.of(search, after=three.newer)

    assert [run.pk for page in (one, two, three) for run in page.submissions] == everything
    assert [run.pk for run in back.submissions] == [run.pk for run in two.submissions]
    assert (one.newer, three.older) == ("", "")


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("place", ["nonsense", "2026-01-01_x", "_", "2026-01-01T00:00:00_" + "0" * 32])
def test_a_place_that_is_none_is_the_beginning(place: str) -> None:
    assert len(Page.of(Search({}), before=place).submissions) == 4


@pytest.mark.usefixtures("runs")
def test_what_is_found_as_a_file(teacher: Client) -> None:
    response = teacher.get("/teach/submissions.csv?learner=ada")

    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert [(row["learner"], row["run"], row["verdict"], row["passed"], row["checks"]) for row in rows] == [
        ("ada", "2", "accepted", "3", "3"),
        ("ada", "1", "wrong_answer", "2", "3"),
    ]


def test_a_name_that_is_a_formula_stays_a_name() -> None:
    response = csv_file("names", ["name"], [["=1+1"], ["@sum"], ["ada"], [-3]])

    assert response.getvalue().decode("utf-8-sig").splitlines() == ["name", "'=1+1", "'@sum", "ada", "-3"]
