"""Fixtures of the tests in `judge`: people, the problem *Halving*, and a manifest in place of the built front end."""

import json
from pathlib import Path

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.test import Client
from pytest_django import Settings

from judge.accounts.models import Role, User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.tests import halving


@receiver(connection_created)
def _read_beside_writers(connection: BaseDatabaseWrapper, **_: object) -> None:
    """In memory, as only tests use it, SQLite locks tables for readers too, and a thread that writes fails at once."""
    if connection.vendor == "sqlite" and "mode=memory" in str(connection.settings_dict["NAME"]):
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA read_uncommitted = 1")


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    """A hash that takes its time, as passwords need it, would be most of the time of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _manifest(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> None:
    """Pages name the scripts that Vite built; these tests are about the pages."""
    manifest = tmp_path_factory.mktemp("dist") / "manifest.json"
    manifest.write_text(json.dumps({"src/main.ts": {"file": "assets/main.js", "css": ["assets/main.css"]}}))
    settings.VITE_MANIFEST = manifest


@pytest.fixture
def learner(db: None) -> User:
    return User.objects.create_user("ada", password="correct horse battery")


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("ben", password="correct horse battery")


@pytest.fixture
def instructor(db: None) -> User:
    return User.objects.create_user("ina", password="correct horse battery", role=Role.INSTRUCTOR)


@pytest.fixture
def administrator(db: None) -> User:
    user = User.objects.create_user("adm", password="correct horse battery")
    user.give_role(Role.ADMINISTRATOR)
    return user


@pytest.fixture
def signed_in(client: Client, learner: User) -> Client:
    client.force_login(learner)
    return client


@pytest.fixture
def problem(db: None) -> Problem:
    return Problem.publish(parse("halving", halving.FILES)).problem


@pytest.fixture
def problem_folder(tmp_path: Path) -> Path:
    """The package as a folder on the disk."""
    for name, text in halving.FILES.items():
        file = tmp_path / "halving" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "halving"
