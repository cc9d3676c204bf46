"""What all pages have in common."""

import pytest
from django.test import Client
from pytest_django import Settings

from judge.catalog.models import Problem
from judge.tests.pages import words


def test_the_content_security_policy_lets_nothing_in_from_outside(client: Client, db: None) -> None:
    response = client.get("/")

    policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    nonce = response.content.decode().split('name="csp-nonce" content="')[1].split('"')[0]
    assert policy == {
        "default-src": "'self'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "worker-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }


def test_health_asks_nothing_of_the_database(client: Client) -> None:
    response = client.get("/healthz")

    assert (response.status_code, response.content) == (200, b"ok\n")


def test_help_is_open_to_everybody(client: Client, db: None) -> None:
    assert "Solving a problem" in client.get("/help/").content.decode()


def test_every_page_warns_when_a_protection_was_given_up(client: Client, db: None, settings: Settings) -> None:
    warning = "Submissions are not shut in completely here"
    assert warning not in words(client.get("/"))

    settings.ACCEPT_UNPROTECTED = True

    for page in ("/", "/help/", "/accounts/sign-in/", "/nothing/"):
        assert warning in words(client.get(page))


def test_a_fault_of_ours_has_a_page_without_scripts(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken for this test")

    monkeypatch.setattr(Problem.objects, "all", broken)
    client.raise_request_exception = False

    response = client.get("/")

    assert response.status_code == 500
    assert "This page failed, and it is our fault" in response.content.decode()
    assert "broken for this test" not in response.content.decode()
