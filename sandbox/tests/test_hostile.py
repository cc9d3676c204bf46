"""Every hostile submission through the real service: its outcome, what it touched outside, and whom it hurt.

An honest submission is judged beside each attack, again and again for as long as the attack runs, and once afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.client import Client
from sandbox.tests.canary import Canary
from sandbox.tests.corpus import ATTACKS, Attack, complaints, honest, is_right, launch
from sandbox.tests.packages import PACKAGE, judge


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canary]:
    with Canary(tmp_path_factory.mktemp("canary")) as canary:
        yield canary


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(attack: Attack, sandbox_client: Client, sandbox_socket: Path, canary: Canary) -> None:
    judged, beside = launch(sandbox_client, attack, canary.places(sandbox_socket))
    assert complaints(attack, judged) == []
    assert canary.complaints() == []
    assert all(map(is_right, beside)), [other.outcome for other in beside]
    assert is_right(honest(sandbox_client))
