"""What docs/security.md says of attacks and layers is what the hostile files say, which other tests try."""

from __future__ import annotations

from sandbox.tests.corpus import ATTACKS, FAMILIES
from sandbox.tests.security_table import table, written


def test_the_document_has_the_table_of_the_corpus() -> None:
    assert written() == table(), "run: python -m sandbox.tests.security_table --write"


def test_the_corpus_is_whole() -> None:
    """A family that lost its files would lose its rows in silence."""
    count = {family: sum(attack.family == family for attack in ATTACKS) for family in FAMILIES}
    assert sum(count.values()) == len(ATTACKS) >= 300
    assert min(count.values()) >= 25
    assert {attack.expected for attack in ATTACKS} == {
        "denied",
        "memory_limit",
        "output_limit",
        "runtime_error",
        "sandbox_violation",
        "stopped",
        "time_limit",
        "wrong_answer",
    }
