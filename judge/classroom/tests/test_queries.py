"""Every page of the workspace asks the database as often for a large class as for a small one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.catalog.package import parse
from judge.classroom.models import PackageDraft, VerificationRun
from judge.classroom.tests.runs import hand_in, sign
from judge.classroom.urls import urlpatterns
from judge.submissions import rejudging
from judge.submissions.models import Rejudgement, Submission
from judge.submissions.tests.sandboxes import ACCEPTED, Scripted
from judge.tests import halving

MOST = 16
"""Queries of one page, however much it shows."""
POSTED = """
edit-version publish unpublish draft-file draft-preview draft-discard draft-verify verification-cancel role make-wrong
rejudge-one rejudge-problem change-rejudgement view-as stop-viewing
""".split()
PAGES = [str(pattern.name) for pattern in urlpatterns if pattern.name not in POSTED]

pytestmark = pytest.mark.django_db


@pytest.fixture
def grow(learner: User, problem: Problem, instructor: User) -> Callable[[int], None]:
    """Adds to everything of which a workspace has many."""
    first = problem.current
    sign(problem)
    draft = PackageDraft.start("halving", halving.FILES, instructor, based_on=first)

    def grow(count: int) -> None:
        for _ in range(count):
            many = User.objects.count()
            statement = f"{halving.FILES['statement.md']}\nWord {many}.\n"
            Problem.publish(parse("halving", {**halving.FILES, "statement.md": statement}))
            Problem.publish(parse(f"halving-{many}", halving.FILES))
            sign(Problem.objects.select_related("current").get(pk=problem.pk))
            for user in (learner, User.objects.create_user(f"learner-{many}")):
                for letters in ("fpp", "pep", "fpp", "fpp"):
                    hand_in(user, problem, letters)
            PackageDraft.start(f"draft-{many}", halving.FILES, instructor)
            draft.save_file(f"correct/other_{many}.py", halving.FILES["reference.py"], 0, instructor)
            VerificationRun.ask(draft, instructor).cancel()
            Rejudgement.choose(problem, problem.submissions.all(), instructor, f"choice {many}")
            while rejudging.judge_one(Scripted(*ACCEPTED)):
                pass

    return grow


def address(page: str) -> str:
    """Where a page is that has grown, by the name of its pattern."""
    draft, problem = PackageDraft.objects.get(slug="halving"), Problem.objects.get(slug="halving")
    run_of_draft = {"run_id": draft.runs.earliest("created_at").pk}
    run = Submission.objects.filter(problem=problem, pattern__gt="").earliest("created_at")
    slug, this = {"slug": "halving"}, {"rejudgement_id": Rejudgement.objects.earliest("created_at").pk}
    versions = list(
        PackageVersion.objects.filter(problem=problem).order_by("created_at").values_list("version", flat=True)
    )
    arguments: dict[str, dict[str, Any]] = {
        **dict.fromkeys(("verification", "verification-state"), run_of_draft),
        **dict.fromkeys(("problem-report", "problem-report-csv", "teach-problem", "compare-versions"), slug),
        **dict.fromkeys(("draft-editor", "draft-complaints", "draft-zip"), slug),
        **dict.fromkeys(("rejudgement", "rejudgement-progress", "rejudgement-csv"), this),
        "version-zip": {**slug, "version": versions[0]},
        "check-report": {**slug, "check": "two"},
        "cluster": {**slug, "pattern": run.pattern},
        "learner": {"user_id": User.objects.get(username="ada").pk},
        "submission": {"submission_id": run.pk},
    }
    queries = {
        "compare-versions": f"?before={versions[0]}&after={versions[-1]}",
        "compare": "".join(f"{mark}run={run.pk}" for mark in "?&"),
        "find": "?problem=halving&check=two",
        "rejudge-found": "?problem=halving",
    }
    return reverse(page, kwargs=arguments.get(page)) + queries.get(page, "")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_as_often_for_many_as_for_few(
    page: str,
    grow: Callable[[int], None],
    client: Client,
    administrator: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client.force_login(administrator)
    counts = []
    for more in (1, 2):
        grow(more)
        here = address(page)
        client.get(here)  # what is kept in memory of each package is read here
        with django_assert_max_num_queries(MOST) as captured:
            response = client.get(here)
            if response.streaming:
                list(response)
        assert response.status_code == 200
        counts.append(len(captured))
    assert counts[0] == counts[1]
