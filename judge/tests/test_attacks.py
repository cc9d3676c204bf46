"""What visitors try on the web: other people's work, forged posts, floods, fixation, redirects. (Guessing passwords is
in `judge/accounts/tests/test_throttle.py`.)"""

import datetime
import json
import uuid
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from judge.accounts.models import Role, User
from judge.catalog.models import Problem
from judge.submissions.models import Draft, Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests.pages import words

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


@pytest.fixture
def others_run(other: User, problem: Problem) -> Submission:
    return Submission.hand_in(other, problem, "secret = 'of ben'\n")


def hand_in(client: Client, source: str, **headers: Any) -> Any:
    return client.post(
        "/problems/halving/submissions/", json.dumps({"source": source}), content_type="application/json", **headers
    )


def test_other_peoples_runs_are_as_if_they_did_not_exist(signed_in: Client, others_run: Submission) -> None:
    for path in ("/submissions/{}/", "/submissions/{}/state/"):
        theirs, nobodys = signed_in.get(path.format(others_run.pk)), signed_in.get(path.format(uuid.uuid4()))
        assert (theirs.status_code, nobodys.status_code) == (404, 404)
        assert words(theirs) == words(nobodys)


def test_who_has_not_signed_in_sees_no_run(client: Client, others_run: Submission) -> None:
    assert client.get(f"/submissions/{others_run.pk}/").headers["Location"].startswith("/accounts/sign-in/")
    assert client.get(f"/submissions/{others_run.pk}/state/").status_code == 401


def test_other_peoples_drafts_and_lists_have_no_address(
    signed_in: Client, other: User, problem: Problem, others_run: Submission
) -> None:
    Draft.keep(other, problem, "secret = 'of ben'\n")

    for path in ("/problems/halving/", "/problems/halving/submissions/", "/problems/halving/submissions/?user=ben"):
        assert b"of ben" not in signed_in.get(path).content
        assert str(others_run.pk).encode() not in signed_in.get(path).content


def test_notes_stay_locked_whatever_is_asked(signed_in: Client, problem: Problem) -> None:
    for path in ("notes/", "notes/?unlocked=1", "notes/?solved=true"):
        response = signed_in.get(f"/problems/halving/{path}")
        assert response.status_code == 403
        assert "Half of a half" not in words(response)


@pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/status/"])
def test_a_learner_does_not_come_into_the_offices(signed_in: Client, instructor: User, path: str) -> None:
    assert signed_in.get(path, follow=True).status_code in (403, 404)
    signed_in.force_login(instructor)
    assert signed_in.get(path, follow=True).status_code in (403, 404)


def test_nobody_signs_up_into_a_role(client: Client) -> None:
    form = {"username": "eve", "password1": PASSWORD, "password2": PASSWORD}

    client.post("/accounts/sign-up/", {**form, "role": "administrator", "is_staff": "1", "is_superuser": "1"})

    eve = User.objects.get(username="eve")
    assert (eve.role, eve.is_staff, eve.is_superuser) == (Role.LEARNER, False, False)


def test_posts_that_another_site_forges_are_refused(learner: User, problem: Problem) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner)
    elsewhere = {"Origin": "https://evil.example"}

    assert hand_in(client, RIGHT).status_code == 403
    assert hand_in(client, RIGHT, headers=elsewhere).status_code == 403
    assert client.post("/problems/halving/submissions/", {"source": RIGHT}, headers=elsewhere).status_code == 403
    assert client.put("/problems/halving/draft/", "{}", content_type="application/json").status_code == 403
    assert client.delete("/problems/halving/draft/").status_code == 403
    assert client.post("/accounts/sign-out/").status_code == 403
    assert client.post("/accounts/sign-in/", {"username": "ada", "password": PASSWORD}).status_code == 403
    assert not Submission.objects.exists()
    assert "_auth_user_id" in client.session


def test_a_token_of_another_session_is_refused(learner: User, problem: Problem) -> None:
    mine, stranger = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    stranger.get("/accounts/sign-in/")
    mine.force_login(learner)
    mine.get("/problems/halving/")

    assert hand_in(mine, RIGHT, headers={"X-CSRFToken": stranger.cookies["csrftoken"].value}).status_code == 403
    assert hand_in(mine, RIGHT, headers={"X-CSRFToken": mine.cookies["csrftoken"].value}).status_code == 201


@pytest.mark.parametrize(
    ("source", "status", "code"),
    [
        ("x" * 10_000_000, 413, "too_large"),
        ("x = 1\n" * 100_000, 413, "too_large"),
        ("\0" * 1000, 400, "bad_request"),
        ("x = '\ud800'\n", 400, "bad_request"),
    ],
    ids=["10 MB", "10^5 lines", "null bytes", "half a character"],
)
def test_what_can_not_be_judged_is_refused_before_it_is_stored(
    signed_in: Client, problem: Problem, source: str, status: int, code: str
) -> None:
    response = hand_in(signed_in, source)

    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert not Submission.objects.exists()
    assert not Draft.objects.exists()


@pytest.mark.parametrize("body", ["{", "[]", '{"source": 1}', '{"source": null}', "[" * 100_000, '{"source": "\xff'])
def test_what_is_no_request_is_refused(signed_in: Client, problem: Problem, body: str) -> None:
    answer = signed_in.post("/problems/halving/submissions/", body, content_type="application/json")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    "path", ["/problems/%00/", "/problems/..%2f..%2fetc/", "/submissions/1/", "/static/../manage.py"]
)
def test_odd_addresses_are_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_one_learner_can_not_fill_the_line(signed_in: Client, other: User, problem: Problem) -> None:
    answers = [hand_in(signed_in, RIGHT) for _ in range(50)]

    assert [answer.status_code for answer in answers] == [201] * 3 + [429] * 47
    assert answers[3].json()["error"]["code"] == "rate"
    second = Client()
    second.force_login(other)
    state = second.get(hand_in(second, RIGHT).json()["state_url"]).json()
    assert state["place"] == 4


def test_nobody_hands_in_all_the_time(signed_in: Client, learner: User, problem: Problem, settings: Settings) -> None:
    settings.SUBMISSIONS_A_MINUTE = 5
    for _ in range(5):
        hand_in(signed_in, RIGHT)
        Submission.objects.update(state="finished", verdict="accepted")

    refused = hand_in(signed_in, RIGHT)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate")
    assert refused.json()["error"]["message"].startswith("You have run the tests very often within a minute.")

    Submission.objects.update(created_at=timezone.now() - datetime.timedelta(seconds=61))
    assert hand_in(signed_in, RIGHT).status_code == 201


def test_a_session_that_was_known_before_signing_in_is_worth_nothing(client: Client, learner: User) -> None:
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = known = str(session.session_key)

    client.post("/accounts/sign-in/", {"username": "ada", "password": PASSWORD})

    assert client.session.session_key != known
    thief = Client()
    thief.cookies["sessionid"] = known
    assert thief.get("/problems/").wsgi_request.user.is_anonymous


def test_a_session_ends_on_the_server_when_its_owner_signs_out(signed_in: Client) -> None:
    stolen = Client()
    stolen.cookies["sessionid"] = signed_in.cookies["sessionid"].value
    assert stolen.get("/help/").wsgi_request.user.is_authenticated

    signed_in.post("/accounts/sign-out/")

    assert stolen.get("/help/").wsgi_request.user.is_anonymous


@pytest.mark.parametrize("evil", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_no_address_of_ours_leads_elsewhere(client: Client, signed_in: Client, evil: str) -> None:
    for path in ("/accounts/sign-in/", "/accounts/sign-up/"):
        assert signed_in.get(path, {"next": evil}).headers["Location"] == "/"
    visitor = Client()
    assert visitor.get("/admin/login/", {"next": evil}).headers["Location"].startswith("/accounts/sign-in/?next=")
    assert signed_in.post("/accounts/sign-out/", {"next": evil}).headers["Location"] == "/"


def test_cookies_are_hidden_from_scripts_and_stay_on_the_site(client: Client, learner: User) -> None:
    client.post("/accounts/sign-in/", {"username": "ada", "password": PASSWORD})

    session = client.cookies["sessionid"]
    assert (bool(session["httponly"]), session["samesite"]) == (True, "Lax")


def test_every_answer_forbids_sniffing_and_framing(client: Client, problem: Problem) -> None:
    for path in ("/", "/problems/halving/", "/nothing/", "/healthz"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "'unsafe-inline'" not in headers["Content-Security-Policy"]


def test_a_name_of_another_site_is_refused(client: Client) -> None:
    assert client.get("/", HTTP_HOST="evil.example").status_code == 400
