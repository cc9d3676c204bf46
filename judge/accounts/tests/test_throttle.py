"""Guessing passwords and making accounts is slowed down; nobody is locked out from elsewhere."""

import datetime
import time

import pytest
from django.db.models import F
from django.test import Client, RequestFactory
from pytest_django import Settings

from judge.accounts.models import Count, User
from judge.accounts.throttle import SIGN_UPS, WINDOW, client_address
from judge.tests.pages import words

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
REFUSED = "You have tried to sign in too often. Wait ten minutes, then try again."


def sign_in(client: Client, password: str, name: str = "ada", address: str = "192.0.2.1") -> int:
    form = {"username": name, "password": password}
    return client.post("/accounts/sign-in/", form, REMOTE_ADDR=address).status_code


def test_after_ten_wrong_passwords_even_the_right_one_is_not_looked_at(client: Client, learner: User) -> None:
    assert [sign_in(client, "guess") for _ in range(10)] == [200] * 10

    response = client.post("/accounts/sign-in/", {"username": "Ada", "password": PASSWORD}, REMOTE_ADDR="192.0.2.1")

    assert response.status_code == 429
    assert REFUSED in words(response)
    assert "_auth_user_id" not in client.session


def test_it_is_over_after_ten_minutes(client: Client, learner: User) -> None:
    for _ in range(10):
        sign_in(client, "guess")
    Count.objects.update(since=F("since") - WINDOW)

    assert sign_in(client, PASSWORD) == 302


def test_somebody_elsewhere_and_somebody_else_are_not_locked_out(client: Client, learner: User, other: User) -> None:
    for _ in range(10):
        sign_in(client, "guess")

    assert sign_in(Client(), PASSWORD, address="192.0.2.2") == 302
    assert sign_in(Client(), PASSWORD, name="ben") == 302


def test_who_comes_in_starts_anew(client: Client, learner: User) -> None:
    for _ in range(9):
        sign_in(client, "guess")
    assert sign_in(client, PASSWORD) == 302
    client.logout()

    assert [sign_in(client, "guess") for _ in range(9)] == [200] * 9


@pytest.mark.parametrize(("limit", "times"), [("sign-in of a name", 100), ("sign-in from an address", 300)])
def test_guessing_from_many_addresses_or_of_many_names_is_slowed_down_too(
    client: Client, learner: User, limit: str, times: int
) -> None:
    sign_in(client, "guess")
    counts = Count.objects.exclude(key__startswith="sign-in of a name from").filter(key__startswith=limit)
    assert counts.update(times=times - 1) == 1

    assert [sign_in(client, "guess") for _ in range(2)] == [200, 429]


def test_old_counts_are_removed(client: Client) -> None:
    sign_in(client, "guess")
    Count.objects.update(since=F("since") - datetime.timedelta(days=1))

    sign_in(client, "guess", name="somebody-else")

    assert Count.objects.count() == 3
    assert set(Count.objects.values_list("times", flat=True)) == {1}


def test_accounts_are_not_made_without_end(client: Client) -> None:
    Count.objects.create(key=SIGN_UPS._key("127.0.0.1"), times=600, since=datetime.datetime.now(datetime.UTC))

    response = client.post("/accounts/sign-up/", {"username": "eve", "password1": PASSWORD, "password2": PASSWORD})

    assert response.status_code == 429
    assert "Too many accounts were made from here" in words(response)
    assert not User.objects.filter(username="eve").exists()


def test_a_name_that_nobody_has_takes_as_long_and_says_the_same(
    client: Client, learner: User, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    learner.set_password(PASSWORD)
    learner.save()
    said, took = {}, {}
    for name in ("ada", "nobody"):
        start = time.process_time()
        said[name] = words(client.post("/accounts/sign-in/", {"username": name, "password": "guess"}))
        took[name] = time.process_time() - start

    assert said["ada"] == said["nobody"]
    assert 0.5 < took["ada"] / took["nobody"] < 2


@pytest.mark.parametrize(
    ("https", "forwarded", "address"),
    [
        (False, "198.51.100.7", "192.0.2.1"),  # without a proxy anybody may send the header
        (True, "198.51.100.7", "198.51.100.7"),
        (True, "203.0.113.9, 198.51.100.7", "198.51.100.7"),  # the first part is what the client made up
        (True, "", "192.0.2.1"),
    ],
)
def test_only_what_the_proxy_says_is_believed(settings: Settings, https: bool, forwarded: str, address: str) -> None:
    settings.HTTPS = https
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    assert client_address(RequestFactory().get("/", headers=headers, REMOTE_ADDR="192.0.2.1")) == address
