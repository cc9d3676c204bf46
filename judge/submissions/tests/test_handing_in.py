import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.submissions import tasks
from judge.submissions.models import Draft, State, Submission
from judge.submissions.tests.sandboxes import RIGHT

PLACE = "/problems/halving/submissions/"


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids that went to the broker."""
    ids: list[str] = []
    monkeypatch.setattr(tasks.judge_submission, "delay", ids.append)
    return ids


def post(client: Client, source: object, **headers: Any) -> Any:
    return client.post(PLACE, json.dumps({"source": source}), content_type="application/json", **headers)


def error_of(response: Any) -> tuple[int, str, str]:
    error = response.json()["error"]
    return response.status_code, error["code"], error["message"]


def test_stores_it_first_and_rings_once_the_transaction_is_over(
    signed_in: Client,
    problem: Problem,
    rung: list[str],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        response = post(signed_in, RIGHT)

    submission = Submission.objects.get()
    assert response.status_code == 201
    assert response.json() == {
        "id": str(submission.pk),
        "url": f"/submissions/{submission.pk}/",
        "state_url": f"/submissions/{submission.pk}/state/",
    }
    assert (submission.state, submission.number, submission.source) == (State.QUEUED, 1, RIGHT)
    assert submission.version == problem.current
    assert rung == []
    for callback in callbacks:
        callback()
    assert rung == [str(submission.pk)]


def test_a_plain_form_leads_to_the_report(signed_in: Client, problem: Problem) -> None:
    response = signed_in.post(PLACE, {"source": "a = 1\r\nb = 2\r\n"})

    submission = Submission.objects.get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/submissions/{submission.pk}/")
    assert submission.source == "a = 1\nb = 2\n"


def test_what_is_handed_in_is_the_draft_too(signed_in: Client, problem: Problem) -> None:
    post(signed_in, RIGHT)

    assert Draft.objects.get().source == RIGHT


def test_numbers_are_counted_for_each_learner(problem: Problem, learner: User, other: User) -> None:
    assert [Submission.hand_in(user, problem, "").number for user in (learner, learner, other)] == [1, 2, 1]


def test_who_is_not_signed_in_is_asked_to(client: Client, problem: Problem) -> None:
    assert error_of(post(client, RIGHT)) == (401, "not_signed_in", "Sign in to run the tests.")

    response = client.post(PLACE, {"source": RIGHT})
    assert response.headers["Location"] == "/accounts/sign-in/?next=/problems/halving/"
    assert not Submission.objects.exists()


def test_a_form_of_another_site_is_refused(learner: User, problem: Problem) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner)

    assert client.post(PLACE, {"source": RIGHT}).status_code == 403
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("source", "status", "code", "message"),
    [
        (
            "#" * (64 * 1024 + 1),
            413,
            "too_large",
            "The file has 65,537 bytes; at most 65,536 (64 kB) are judged. Shorten it.",
        ),
        (
            "é" * (32 * 1024 + 1),
            413,
            "too_large",
            "The file has 65,538 bytes; at most 65,536 (64 kB) are judged. Shorten it.",
        ),
        ("#" * 10_000_000, 413, "too_large", "The file is far larger than the 64 kB that are judged. Shorten it."),
        (
            "a = 1\nb = '\0'",
            400,
            "bad_request",
            "What stands in line 2, column 6, is a null byte, which Python can't read. Delete it.",
        ),
        ("a\ud800", 400, "bad_request", "What stands in line 1, column 2, is not a character. Delete it."),
        (None, 400, "bad_request", 'The request must be {"source": "…"}. Reload the page and try again.'),
    ],
    ids=["bytes", "characters", "huge", "null", "surrogate", "no-text"],
)
def test_what_can_not_be_judged_is_not_stored(
    signed_in: Client, problem: Problem, source: object, status: int, code: str, message: str
) -> None:
    assert error_of(post(signed_in, source)) == (status, code, message)
    assert not Submission.objects.exists()
    assert not Draft.objects.exists()


def test_the_largest_file_is_taken(signed_in: Client, problem: Problem) -> None:
    assert post(signed_in, "#" * 64 * 1024).status_code == 201


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"source": ', b"[" * 100_000])
def test_a_request_that_is_no_json_is_refused(signed_in: Client, problem: Problem, body: bytes) -> None:
    response = signed_in.post(PLACE, body, content_type="application/json")

    message = "The request is not JSON in UTF-8. Reload the page and try again."
    assert error_of(response) == (400, "bad_request", message)


def test_a_form_that_is_too_large_says_so_on_a_page(signed_in: Client, problem: Problem) -> None:
    for size in (70_000, 10_000_000):
        response = signed_in.post(PLACE, {"source": "#" * size})

        assert response.status_code == 413
        assert "64 kB" in response.content.decode()


def test_a_form_that_is_far_too_large_says_so_before_it_is_read(learner: User, problem: Problem) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner)
    client.get("/problems/halving/")  # sets the cookie that the form's token is compared with

    response = client.post(PLACE, {"source": "#" * 10_000_000})

    assert response.status_code == 400
    assert "A file may have 64 kB" in response.content.decode()


def test_a_learner_has_three_unfinished_runs_at_most(signed_in: Client, problem: Problem, other: User) -> None:
    for _ in range(3):
        assert post(signed_in, RIGHT).status_code == 201

    message = "3 of your runs are not finished yet. Your code is saved; run it when one of them is."
    assert error_of(post(signed_in, "last = 1")) == (429, "rate", message)
    assert Draft.objects.get().source == "last = 1"
    Submission.hand_in(other, problem, RIGHT)  # others don't wait for that
    Submission.objects.filter(number=1).update(state=State.FINISHED)
    assert post(signed_in, RIGHT).status_code == 201


def test_a_broker_that_is_away_loses_nothing(
    signed_in: Client,
    problem: Problem,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    def refuse(_: str) -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr(tasks.judge_submission, "delay", refuse)

    with django_capture_on_commit_callbacks(execute=True):
        assert post(signed_in, RIGHT).status_code == 201

    submission = Submission.objects.get()
    assert (submission.state, submission.rung_at) == (State.QUEUED, None)
