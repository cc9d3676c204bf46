import pytest
from django.test import Client

from judge.accounts.models import User


@pytest.fixture
def teacher(client: Client, instructor: User) -> Client:
    """A browser in which an instructor is signed in."""
    client.force_login(instructor)
    return client
