import pytest
from django.test import Client

from judge.accounts.models import Role, User

pytestmark = pytest.mark.django_db
GOOD = {"username": "ada", "password1": "correct horse battery", "password2": "correct horse battery"}


def test_signing_up_makes_a_learner_who_is_signed_in(client: Client) -> None:
    response = client.post("/accounts/sign-up/", {**GOOD, "next": "/problems/moco/"})

    assert (response.status_code, response.headers["Location"]) == (302, "/problems/moco/")
    user = User.objects.get(username="ada")
    assert user.role == Role.LEARNER
    assert client.session["_auth_user_id"] == str(user.pk)


def test_a_weak_password_is_explained(client: Client) -> None:
    response = client.post("/accounts/sign-up/", {**GOOD, "password1": "12345", "password2": "12345"})

    assert "This password is too short." in response.content.decode()
    assert not User.objects.exists()


def test_signing_in_goes_where_next_says(client: Client, learner: User) -> None:
    form = {"username": "ada", "password": "correct horse battery", "next": "/help/"}

    response = client.post("/accounts/sign-in/", form)

    assert (response.status_code, response.headers["Location"]) == (302, "/help/")


@pytest.mark.parametrize("page", ["sign-in", "sign-up"])
@pytest.mark.parametrize("evil", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"])
def test_next_never_leaves_the_site(client: Client, learner: User, page: str, evil: str) -> None:
    form = {**GOOD, "password": GOOD["password1"], "username": "ada" if page == "sign-in" else "eve", "next": evil}

    response = client.post(f"/accounts/{page}/", form)

    assert (response.status_code, response.headers["Location"]) == (302, "/")


def test_signing_out_takes_a_post(signed_in: Client) -> None:
    assert signed_in.get("/accounts/sign-out/").status_code == 405
    assert "_auth_user_id" in signed_in.session

    response = signed_in.post("/accounts/sign-out/")

    assert response.status_code == 302
    assert "_auth_user_id" not in signed_in.session


def test_a_form_without_its_token_is_refused(learner: User) -> None:
    response = Client(enforce_csrf_checks=True).post("/accounts/sign-up/", GOOD)

    assert response.status_code == 403
    assert "The form was not sent" in response.content.decode()
