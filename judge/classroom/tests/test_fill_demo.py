"""A class that never was: real results, the same for the same seed, and never among real people."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.submissions.models import Standing, Submission
from judge.tests import halving_mistakes
from sandbox.client import Client


@pytest.fixture
def mistakes(db: None) -> Problem:
    return Problem.publish(parse("halving", halving_mistakes.FILES)).problem


@pytest.fixture(autouse=True)
def _sandbox(sandbox_client: Client, settings: Settings) -> None:
    settings.SANDBOX_SOCKET = str(sandbox_client.path)


def fill(*options: str) -> str:
    told = StringIO()
    call_command("fill_demo", "--learners=12", "--submissions=150", "--end=2026-03-01T20:00", *options, stdout=told)
    return told.getvalue()


def told() -> list[tuple[object, ...]]:
    fields = ("user__username", "number", "verdict", "outcomes", "pattern", "created_at", "source")
    return list(Submission.objects.order_by("user__username", "number").values_list(*fields))


def test_learners_get_better_and_some_are_stuck(mistakes: Problem) -> None:
    assert "12 learners, 150 submissions to 1 problems" in fill()

    assert Submission.objects.count() == 150
    assert Standing.objects.filter(attempts_to_solve__isnull=False).exists()
    assert Standing.objects.filter(stuck__gt=0).exists()
    first = Submission.objects.filter(number=1).values_list("passed", flat=True)
    latest = Standing.objects.values_list("latest__passed", flat=True)
    assert sum(latest) / len(latest) > sum(first) / len(first)


def test_what_is_written_is_what_counting_gives(mistakes: Problem) -> None:
    fill()
    fields = [field.attname for field in Standing._meta.concrete_fields if field.name != "id"]
    before = list(Standing.objects.order_by("user").values(*fields))

    for standing in Standing.objects.select_related("latest"):
        Standing.record(standing.latest, again=True)

    assert list(Standing.objects.order_by("user").values(*fields)) == before
    for submission in Submission.objects.exclude(verdict="judge_error")[:20]:
        assert submission.checks.count() == submission.total


def test_the_same_seed_gives_the_same_class(mistakes: Problem) -> None:
    fill("--seed=7")
    first = told()
    Submission.objects.all().delete()
    User.objects.all().delete()

    fill("--seed=7")

    assert told() == first


def test_people_are_not_mixed_with_learners_who_never_were(mistakes: Problem, learner: User) -> None:
    with pytest.raises(CommandError, match="People use this site"):
        fill()
    assert not Submission.objects.exists()

    fill("--anyway")

    assert User.objects.count() == 13


def test_without_a_problem_it_says_what_to_do(db: None) -> None:
    with pytest.raises(CommandError, match="load_problems"):
        fill()
