import pytest
from django.test import Client

from judge.accounts.models import User
from judge.catalog.tests.packages import PACKAGE
from judge.classroom.models import PackageDraft


@pytest.fixture
def teacher(client: Client, instructor: User) -> Client:
    """A browser in which an instructor is signed in."""
    client.force_login(instructor)
    return client


@pytest.fixture
def draft(instructor: User) -> PackageDraft:
    """A draft of the package that `new_problem` starts."""
    return PackageDraft.start("row-norms", PACKAGE.files, instructor)
