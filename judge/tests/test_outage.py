"""A database that is away, or full, is said as what it is; what can be answered without it, is."""

import json

import pytest
from django.db import OperationalError, connection
from django.test import Client

from judge.catalog.models import Problem
from judge.submissions.models import Submission
from judge.submissions.tests.sandboxes import RIGHT
from judge.tests.pages import words

pytestmark = pytest.mark.django_db


def full(*_: object) -> None:
    raise OperationalError("database or disk is full")


def test_a_full_disk_is_said_to_the_editor(
    signed_in: Client, problem: Problem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Submission, "hand_in", full)
        response = signed_in.post(
            "/problems/halving/submissions/", json.dumps({"source": RIGHT}), content_type="application/json"
        )

    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.json()["error"] == {
        "code": "unavailable",
        "message": "The judge can't reach its database right now. Your code stays in the editor; try again in a "
        "minute.",
    }
    assert "the database can't be used" in caplog.text
    assert "database or disk is full" in caplog.text


def test_a_page_says_it_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", full)
        response = client.get("/", headers={"Accept": "text/html"})
        alive = client.get("/healthz")

    assert response.status_code == 503
    assert "The judge can’t reach its database" in words(response)
    assert "database or disk is full" not in response.content.decode()
    assert alive.status_code == 200


def test_who_is_signed_in_is_told_too(signed_in: Client, problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their session is looked up before any view is reached."""
    signed_in.raise_request_exception = False
    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", full)
        page = signed_in.get("/", headers={"Accept": "text/html"})
        answer = signed_in.post(
            "/problems/halving/submissions/", json.dumps({"source": RIGHT}), content_type="application/json"
        )

    assert page.status_code == 503
    assert "The judge can’t reach its database" in words(page)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"


def test_other_faults_before_a_view_are_ours(
    signed_in: Client, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in.raise_request_exception = False

    def broken(*_: object) -> None:
        raise ValueError("not a database's")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", broken)
        page = signed_in.get("/", headers={"Accept": "text/html"})

    assert page.status_code == 500
    assert "This page failed, and it is our fault" in words(page)
