"""Every hostile submission through the real service: its outcome, what it touched outside, and whom it hurt.

Attacks run a few at a time. Beside them honest submissions are judged, one after the other: every one that ran at the
same time as an attack, and the first that began when it had ended, must have been judged right.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox.client import Client
from sandbox.tests.canary import Canary
from sandbox.tests.corpus import ATTACKS, Attack, Barrage


@pytest.fixture(scope="module")
def barrage(
    request: pytest.FixtureRequest, sandbox_client: Client, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Barrage]:
    """Attacks with everything that this run asks for."""
    here = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    names = {item.callspec.id for item in here}
    attacks = [attack for attack in ATTACKS if attack.name in names]
    with Canary(tmp_path_factory.mktemp("canary")) as canary, Barrage(sandbox_client, attacks, canary) as barrage:
        yield barrage


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(attack: Attack, barrage: Barrage) -> None:
    span = barrage.result(attack)
    assert span.complaints == []
    honest = barrage.honest(span)
    assert len(honest) >= 2
    assert [other.complaints for other in honest if other.complaints] == []
