"""Failures that no known mistake explains: equal patterns for equal mistakes, whatever the inputs were."""

from judge.catalog.patterns import pattern_of
from judge.catalog.signatures import Signature, failures
from sandbox.protocol import CheckResult, Status

FIXED = "got 4, expected 2."


def failed(check: str, message: str = FIXED, status: Status = Status.FAILED) -> tuple[str, CheckResult]:
    return check, CheckResult(check, status, message=message)


def passed(check: str) -> tuple[str, CheckResult]:
    return check, CheckResult(check, Status.PASSED)


def signature(*runs: str) -> Signature:
    """Of a known mistake that fails check `a` with these messages."""
    return Signature.of_runs("wrong/known.py", [failures([failed("a", message)]) for message in runs])


SAME_VALUES = [signature("got 9, expected 2.", "got 9, expected 2.")]
OTHER_VALUES = [signature("got 9, expected 2.", "got 8, expected 2.")]


def test_what_passes_or_is_explained_has_no_pattern() -> None:
    assert pattern_of([], [passed("a")], set()) == ""
    assert pattern_of([], [failed("a")], {"a"}) == ""


def test_what_is_not_written_yet_is_no_pattern() -> None:
    left_out = failed("a", "halve raised NotImplementedError at line 2 of your file.", Status.RUNTIME_ERROR)
    assert pattern_of([], [left_out], set()) == ""


def test_other_checks_are_another_pattern() -> None:
    assert pattern_of([], [failed("a")], set()) != pattern_of([], [failed("b")], set())


def test_values_of_fixed_inputs_tell_mistakes_apart() -> None:
    one, other = [failed("a", "got 4, expected 2.")], [failed("a", "got 5, expected 2.")]
    assert pattern_of(SAME_VALUES, one, set()) != pattern_of(SAME_VALUES, other, set())


def test_values_of_drawn_inputs_do_not() -> None:
    one, other = [failed("a", "got 4, expected 2."), passed("b")], [failed("a", "got 5, expected 2.")]
    assert pattern_of(OTHER_VALUES, one, set()) == pattern_of(OTHER_VALUES, other, set())


def test_last_digits_do_not() -> None:
    one, other = [failed("a", "got 4.000001, expected 2.")], [failed("a", "got 4.000002, expected 2.")]
    assert pattern_of(SAME_VALUES, one, set()) == pattern_of(SAME_VALUES, other, set())


def test_the_place_of_an_error_does_not() -> None:
    one, other = (
        [failed("a", f"halve raised TypeError at line {line} of your file: no.", Status.RUNTIME_ERROR)]
        for line in (2, 7)
    )
    assert pattern_of([], one, set()) == pattern_of([], other, set())


def test_nor_is_it_where_an_error_was_asked_for() -> None:
    left_out = failed(
        "a", "halve(-1) must raise ValueError. Instead halve raised NotImplementedError at line 2 of your file."
    )
    assert pattern_of([], [left_out], set()) == ""
