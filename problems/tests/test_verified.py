"""Every package proves itself: what `verify_problem` finds of it, without a complaint left."""

from __future__ import annotations

import pytest

from judge.catalog.package import read_folder
from judge.catalog.verify import verify
from problems.tests.support import PROBLEMS, SLUGS
from sandbox.client import Client


@pytest.mark.timeout(900)
@pytest.mark.parametrize("slug", SLUGS)
def test_a_package_proves_itself(sandbox_client: Client, slug: str) -> None:
    found = verify(read_folder(PROBLEMS / slug), sandbox_client)

    assert [str(complaint) for complaint in found.complaints] == []
    assert found.mutation is not None
    assert found.mutation.percent == 100.0
