"""Who may see what: every address of the site, by role. An address without a row here fails the first test.

A row is a request and what each role gets for it. Rows about objects stand beside those about pages: somebody else's
run, a problem that is not published.
"""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from judge.accounts.audit import record
from judge.accounts.models import Action, User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.classroom.models import PackageDraft, VerificationRun
from judge.classroom.tests.runs import hand_in, sign
from judge.submissions.models import Draft, Rejudgement, Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests import halving

SIGN_IN = "sign in"
"""A redirect to the sign-in page that leads back."""
ADMIN_SIGN_IN = "the administration's door"
"""A redirect to the administration's sign-in, which redirects whom it knows nowhere: 403."""

Outcome = int | str


@dataclasses.dataclass(frozen=True)
class Row:
    path: str
    """With names in braces for objects; see `objects`."""
    anonymous: Outcome
    learner: Outcome
    instructor: Outcome
    administrator: Outcome
    method: str = "get"
    data: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def everybody(path: str, outcome: Outcome = 200, **others: Any) -> Row:
    return Row(path, outcome, outcome, outcome, outcome, **others)


def signed_in(path: str, outcome: Outcome = 200, **others: Any) -> Row:
    return Row(path, SIGN_IN, outcome, outcome, outcome, **others)


def instructors(path: str, outcome: Outcome = 200, **others: Any) -> Row:
    return Row(path, 404, 404, outcome, outcome, **others)


def administrators(path: str, outcome: Outcome = 200, **others: Any) -> Row:
    return Row(path, 404, 404, 404, outcome, **others)


def administration(path: str, outcome: Outcome = 200) -> Row:
    """A page of Django's own administration."""
    return Row(f"/admin/{path}", ADMIN_SIGN_IN, ADMIN_SIGN_IN, ADMIN_SIGN_IN, outcome)


JSON = {"source": RIGHT}
FILE = {"path": "notes/new.md", "text": "# New\n", "revision": 0}
NOBODYS = "00000000-0000-0000-0000-000000000000"

ROWS = [
    # What everybody sees
    everybody("/"),
    everybody("/help/"),
    everybody("/healthz"),
    everybody("/readyz", 503),  # no worker runs in this test
    everybody("/metrics"),
    everybody("/problems/halving/"),
    everybody("/problems/halving/labs/", 404),  # it has none
    everybody("/problems/halving/labs/nothing/", 404),
    everybody("/problems/unpublished/", 404),
    everybody("/problems/unpublished/labs/", 404),
    everybody("/problems/unpublished/notes/", 404),
    everybody("/problems/unpublished/submissions/", 404),
    everybody("/problems/nothing/", 404),
    # Accounts
    Row("/accounts/sign-up/", 200, 302, 302, 302),
    Row("/accounts/sign-in/", 200, 302, 302, 302),
    everybody("/accounts/sign-out/", 302, method="post"),
    everybody("/accounts/sign-out/", 405),
    # A learner's own work, and other people's
    Row("/problems/halving/notes/", 403, 403, 200, 200),
    Row("/problems/halving/draft/", 401, 200, 200, 200, method="put", data=JSON),
    Row("/problems/unpublished/draft/", 401, 404, 404, 404, method="put", data=JSON),
    Row("/problems/halving/draft/", 405, 405, 405, 405),
    signed_in("/problems/halving/submissions/"),
    Row("/problems/halving/submissions/", 401, 201, 201, 201, method="post", data=JSON),
    everybody("/problems/unpublished/submissions/", 404, method="post", data=JSON),
    signed_in("/submissions/{own_run}/"),
    Row("/submissions/{own_run}/state/", 401, 200, 200, 200),
    Row("/submissions/{others_run}/", SIGN_IN, 404, 200, 200),
    Row("/submissions/{others_run}/state/", 401, 404, 200, 200),
    # The workspace
    instructors("/teach/"),
    instructors("/teach/new/"),
    instructors("/teach/new/", 302, method="post", data={"source": "template", "slug": "fresh"}),
    instructors("/teach/new/", 400, method="post", data={"source": "template", "slug": "../etc"}),
    instructors("/teach/problems/halving/"),
    instructors("/teach/problems/unpublished/"),
    instructors("/teach/problems/nothing/", 404),
    instructors("/teach/problems/halving/edit-version/", 302, method="post", data={"version": "{version}"}),
    instructors("/teach/problems/halving/edit-version/", 404, method="post", data={"version": "0" * 16}),
    instructors("/teach/problems/halving/compare/?before={version}&after=draft"),
    instructors("/teach/problems/halving/compare/", 404),
    instructors("/teach/problems/halving/versions/{version}.zip"),
    instructors("/teach/problems/unpublished/versions/{version}.zip"),  # the same files
    instructors("/teach/problems/halving/draft.zip"),
    instructors("/teach/problems/unpublished/draft.zip", 404),
    instructors("/teach/problems/halving/draft/"),
    instructors("/teach/problems/unpublished/draft/", 404),
    instructors("/teach/problems/halving/draft/file/?path=starter.py"),
    instructors("/teach/problems/halving/draft/file/?path=../starter.py", 404),
    instructors("/teach/problems/halving/draft/file/", method="put", data=FILE),
    instructors("/teach/problems/halving/draft/complaints/"),
    instructors("/teach/problems/halving/draft/preview/", method="post", data=FILE),
    instructors("/teach/problems/halving/draft/discard/", 302, method="post"),
    instructors("/teach/problems/halving/draft/verify/", 302, method="post"),
    instructors("/teach/problems/halving/publish/", 409, method="post"),  # it is not verified
    instructors("/teach/problems/halving/unpublish/", 302, method="post"),
    instructors("/teach/problems/halving/unpublish/", 405),
    instructors("/teach/verifications/{run}/"),
    instructors("/teach/verifications/{run}/state/"),
    instructors("/teach/verifications/{run}/cancel/", 302, method="post"),
    instructors("/teach/verifications/{nobodys}/", 404),
    administrators("/teach/audit/"),
    administrators("/teach/people/"),
    administrators("/teach/people/{other}/role/", 302, method="post", data={"role": "instructor"}),
    administrators("/teach/people/{other}/role/", 400, method="post", data={"role": "emperor"}),
    administrators("/teach/people/{self}/role/", 400, method="post", data={"role": "administrator"}),
    administrators("/teach/people/999999/role/", 404, method="post", data={"role": "learner"}),
    # Reports, learners and their runs
    instructors("/teach/reports/"),
    instructors("/teach/reports/halving/"),
    instructors("/teach/reports/unpublished/", 404),
    instructors("/teach/reports/halving/checks.csv"),
    instructors("/teach/reports/halving/checks/two/"),
    instructors("/teach/reports/halving/checks/nothing/", 404),
    instructors("/teach/reports/halving/alike/{pattern}/"),
    instructors("/teach/reports/halving/alike/nothing/", 404),
    instructors("/teach/reports/halving/alike/{pattern}/wrong/", 302, method="post"),
    instructors("/teach/reports/halving/alike/nothing/wrong/", 404, method="post"),
    instructors("/teach/learners/"),
    instructors("/teach/learners.csv"),
    instructors("/teach/learners/{other}/"),
    instructors("/teach/learners/999999/", 404),
    instructors("/teach/submissions/"),
    instructors("/teach/submissions.csv"),
    instructors("/teach/submissions.csv?check=two", 400),
    instructors("/teach/submissions/compare/?left={others_run}&right={others_run}"),
    instructors("/teach/submissions/compare/", 400),
    instructors("/teach/submissions/{others_run}/"),
    instructors("/teach/submissions/{others_run}/again/", 302, method="post"),
    instructors("/teach/rejudgements/"),
    instructors("/teach/rejudgements/found/", 400),
    instructors("/teach/rejudgements/found/?problem=halving"),
    instructors("/teach/rejudgements/found/?problem=halving", 302, method="post"),
    instructors("/teach/rejudgements/found/?problem=unpublished", 400, method="post"),
    instructors("/teach/rejudgements/problem/halving/", 302, method="post"),
    instructors("/teach/rejudgements/problem/unpublished/", 404, method="post"),
    instructors("/teach/rejudgements/{rejudgement}/"),
    instructors("/teach/rejudgements/{rejudgement}/progress/"),
    instructors("/teach/rejudgements/{rejudgement}/changes.csv"),
    instructors("/teach/rejudgements/{rejudgement}/apply/", 302, method="post"),
    instructors("/teach/rejudgements/{rejudgement}/give-up/", 302, method="post"),
    instructors("/teach/rejudgements/{rejudgement}/explode/", 404, method="post"),
    instructors("/teach/view-as/{other}/", 302, method="post"),
    instructors("/teach/view-as/0/", 302, method="post"),
    instructors("/teach/view-as/{self}/", 404, method="post"),
    instructors("/teach/view-as/stop/", 302, method="post"),
    # The operator's
    Row("/status/", SIGN_IN, 403, 403, 200),
    Row("/admin/login/", SIGN_IN, 403, 403, 403),
    administration(""),
    Row("/admin/logout/", 302, 302, 302, 405),
    administration("password_change/"),
    administration("password_change/done/"),
    administration("autocomplete/", 403),
    administration("jsi18n/"),
    administration("r/1/1/", 404),
    administration("accounts/"),
    administration("nothing/", 404),
    administration("auth/group/"),
    administration("auth/group/add/"),
    administration("auth/group/1/", 302),
    administration("auth/group/1/history/", 302),
    administration("auth/group/1/delete/", 302),
    administration("auth/group/1/change/", 302),
    administration("accounts/user/"),
    administration("accounts/user/add/"),
    administration("accounts/user/{other}/", 302),
    administration("accounts/user/{other}/password/"),
    administration("accounts/user/{other}/history/"),
    administration("accounts/user/{other}/delete/"),
    administration("accounts/user/{other}/change/"),
    administration("accounts/auditentry/"),
    administration("accounts/auditentry/add/", 403),
    administration("accounts/auditentry/{entry}/", 302),
    administration("accounts/auditentry/{entry}/history/"),
    administration("accounts/auditentry/{entry}/delete/", 403),
    administration("accounts/auditentry/{entry}/change/"),
]


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    """Every address that the site knows, as `django.urls.resolve` names it."""
    for pattern in patterns:
        route = before + (str(pattern.pattern).removeprefix("^") if before else str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route


def test_every_address_has_a_row() -> None:
    names = dict.fromkeys(("own_run", "others_run", "run", "nobodys", "rejudgement"), NOBODYS)
    names |= dict.fromkeys(("self", "other", "entry", "version", "pattern"), "1")
    covered = {resolve(row.path.format_map(names).partition("?")[0]).route for row in ROWS}

    assert sorted(set(routes(get_resolver().url_patterns)) - covered) == []


@pytest.fixture
def unpublished(db: None) -> Problem:
    problem = Problem.publish(parse("unpublished", halving.FILES)).problem
    Problem.objects.filter(pk=problem.pk).update(current=None)
    return problem


@pytest.fixture
def people(learner: User, instructor: User, administrator: User) -> dict[str, User | None]:
    return {"anonymous": None, "learner": learner, "instructor": instructor, "administrator": administrator}


@pytest.fixture
def objects(other: User, instructor: User, problem: Problem, unpublished: Problem) -> dict[str, object]:
    """What stands for the names in braces; `self` and `own_run` are added for whoever asks."""
    Draft.keep(other, problem, RIGHT)
    draft = PackageDraft.opened(problem, instructor)
    sign(problem)
    finished = hand_in(other, problem, "fpp")
    return {
        "version": problem.package.version,
        "run": VerificationRun.ask(draft, instructor).pk,
        "nobodys": NOBODYS,
        "other": other.pk,
        "others_run": Submission.hand_in(other, problem, RIGHT).pk,
        "entry": record(None, Action.PUBLISHED, problem).pk,
        "rejudgement": Rejudgement.choose(problem, Submission.objects.filter(pk=finished.pk), None, "one").pk,
        "pattern": finished.pattern,
    }


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.parametrize("role", ["anonymous", "learner", "instructor", "administrator"])
def test_who_gets_what(
    role: str, row: Row, people: dict[str, User | None], objects: dict[str, object], problem: Problem
) -> None:
    client, user = Client(), people[role]
    known = {**objects, "self": 0, "own_run": NOBODYS}
    if user is not None:
        client.force_login(user)
        known |= {"self": user.pk, "own_run": Submission.hand_in(user, problem, RIGHT).pk}
    path = row.path.format_map(known)
    data, as_json = row.data, {}
    if data is JSON or data is FILE:
        as_json = {"content_type": "application/json"}
    elif data:
        data = {name: value.format_map(known) for name, value in data.items()}

    response = getattr(client, row.method)(path, data, **as_json)

    expected = getattr(row, role)
    if expected == SIGN_IN:
        assert (response.status_code, response.headers["Location"]) == (302, f"/accounts/sign-in/?next={_back(path)}")
    elif expected == ADMIN_SIGN_IN:
        assert (response.status_code, response.headers["Location"]) == (302, f"/admin/login/?next={path}")
    else:
        assert response.status_code == expected


def _back(path: str) -> str:
    return "/admin/" if path == "/admin/login/" else path
