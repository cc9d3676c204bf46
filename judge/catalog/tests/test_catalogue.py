import datetime

from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from judge.accounts.models import User
from judge.catalog.models import Problem, Progress
from judge.catalog.package import parse
from judge.tests import halving
from judge.tests.pages import links, words


def test_without_problems_it_says_how_to_add_them(client: Client, learner: User, instructor: User) -> None:
    told = "There are no problems yet"
    page = client.get("/")
    assert told in words(page)
    assert "load_problems" in words(page)

    client.force_login(learner)
    page = client.get("/")
    assert told in words(page)
    assert "load_problems" not in words(page)

    client.force_login(instructor)
    assert "/teach/new/" in links(client.get("/"))


def test_a_row_says_what_the_problem_is(client: Client, problem: Problem) -> None:
    page = client.get("/")

    assert links(page).count("/problems/halving/") == 1
    assert "https://example.org/halves" in links(page)
    for fact in ("Halving", "Divide a tensor by two.", "Ada Able et al., 2021", "arithmetic", "easy"):
        assert fact in words(page)


def test_rows_are_in_the_order_that_the_packages_ask_for(client: Client, problem: Problem) -> None:
    earlier = halving.FILES["problem.toml"].replace("position = 5", "position = 1").replace('"Halving"', '"Zero"', 1)
    Problem.publish(parse("zero", {**halving.FILES, "problem.toml": earlier}))

    page = client.get("/").content.decode()

    assert page.index("/problems/zero/") < page.index("/problems/halving/")


def test_the_state_is_ones_own(signed_in: Client, learner: User, other: User, problem: Problem) -> None:
    def state() -> str:
        (row,) = signed_in.get("/").context["rows"]
        return str(row["state"])

    Progress.objects.create(user=other, problem=problem, solved_at=timezone.now())
    assert state() == "new"

    mine = Progress.objects.create(user=learner, problem=problem)
    assert state() == "tried"

    mine.solved_at = timezone.now() - datetime.timedelta(days=1)
    mine.save()
    assert state() == "solved"


def test_queries_do_not_grow_with_the_problems(
    client: Client, problem: Problem, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        Problem.publish(parse(f"halving-{number}", halving.FILES))
    client.get("/")

    with django_assert_num_queries(1):
        client.get("/")
