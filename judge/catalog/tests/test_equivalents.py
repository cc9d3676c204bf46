from judge.catalog.equivalents import as_entry, idle_entries, read_equivalents
from judge.catalog.mutants import mutants_of
from judge.catalog.table import Complaint

MUTANTS = mutants_of("def f(a):\n    return g('x', a)\n")
"""`'x'` in place of the call, and the swapped arguments."""


def test_an_entry_says_which_mutants_are_no_mistakes_and_why() -> None:
    text = """
[[equivalent]]
function = "f"
line = "return g('x', a)"
becomes = ["return 'x'", "return  g(a, 'x')"]
reason = "g is symmetric."
"""
    complaints: list[Complaint] = []

    (entry,) = read_equivalents(text, complaints)

    assert complaints == []
    assert (entry.reason, entry.number) == ("g is symmetric.", 2)
    assert [entry.describes(mutant) for mutant in MUTANTS] == [True, True]
    assert idle_entries([entry], MUTANTS) == []


def test_an_entry_that_describes_no_mutant_is_complained_of() -> None:
    text = as_entry(MUTANTS[0]).replace('reason = ""', 'reason = "None."').replace('"f"', '"h"')

    (complaint,) = idle_entries(read_equivalents(text, []), MUTANTS)

    assert str(complaint) == (
        "mutants.toml:1: no mutant of h makes \"return g('x', a)\" into \"return 'x'\"; copy both lines from the diff "
        "that verify_problem shows, or remove the entry"
    )


def test_a_proposed_entry_lacks_only_its_reason() -> None:
    complaints: list[Complaint] = []

    (entry,) = read_equivalents(as_entry(MUTANTS[1]), complaints)

    assert entry.describes(MUTANTS[1])
    assert [str(complaint) for complaint in complaints] == [
        "mutants.toml:5: equivalent[0].reason is empty; write a text"
    ]


def test_any_line_can_be_quoted() -> None:
    source = 'def f(a):\n    return a + "\\n\'"\n'
    (mutant, *_) = mutants_of(source)

    (entry,) = read_equivalents(as_entry(mutant).replace('reason = ""', 'reason = "x"'), [])

    assert entry.describes(mutant)
