"""Which mistakes explain a run: here with checks that only say a word, in `problems/tests` with real ones."""

from judge.catalog.diagnosis import Diagnosis, Sureness, conceivable, diagnose
from judge.catalog.mistakes import Mistake
from judge.catalog.signatures import Signature, failures
from sandbox.protocol import CheckResult, Status

CHECKS = ("a", "b", "c", "d", "e", "joint")


def results(**messages: str) -> list[tuple[str, CheckResult]]:
    """A run in which the named checks failed with these messages, or raised if a message says so."""
    return [
        (
            check,
            CheckResult(
                check, _status(messages[check]) if check in messages else Status.PASSED, messages.get(check, "")
            ),
        )
        for check in CHECKS
    ]


def _status(message: str) -> Status:
    return Status.RUNTIME_ERROR if " raised " in message else Status.FAILED


def signature(name: str, **messages: str) -> Signature:
    return Signature.of_runs(name, [failures(results(**messages))] * 2)


SUM = signature("sum", a="got 4", b="got 8", joint="step 1: got 4")
HALF = signature("half", a="got 1", b="got 2", joint="step 1: got 1")
WRAP = signature("wrap", c="row lost", d="row 3 lost", joint="step 3: row lost")
RAISES = signature(
    "raises", d="f raised ValueError at line 5 of your file: no", e="f raised ValueError at line 5 of your file: no"
)
ALL = [SUM, HALF, WRAP, RAISES]


def found(**messages: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.mistake, each.sureness.value, each.checks) for each in diagnose(ALL, results(**messages))]


def test_the_same_checks_with_the_same_values_are_sure() -> None:
    assert found(a="got 4", b="got 8", joint="step 1: got 4") == [("sum", "sure", ("a", "b", "joint"))]
    assert found(a="got 1", b="got 2", joint="step 1: got 1") == [("half", "sure", ("a", "b", "joint"))]


def test_the_same_checks_with_other_values_are_no_diagnosis() -> None:
    assert found(a="got 7", b="got 9", joint="step 1: got 7") == []


def test_two_mistakes_are_both_found_though_they_meet_in_one_check() -> None:
    both = found(a="got 4", b="got 8", c="row lost", d="row 3 lost", joint="step 1: got 4")

    assert both == [("sum", "sure", ("a", "b", "joint")), ("wrap", "sure", ("c", "d"))]


def test_what_is_left_unexplained_makes_it_less_sure() -> None:
    assert found(a="got 4", b="got 8", e="odd", joint="step 1: got 4") == [("sum", "likely", ("a", "b", "joint"))]


def test_a_check_that_passed_speaks_against_a_mistake() -> None:
    assert found(a="got 4") == []


def test_an_error_of_rounding_may_stay_within_what_is_allowed() -> None:
    off = {"kind": "comparison", "what": "a", "where": "", "shape": [], "dtype": "float64", "got": 1 + 1e-9}
    details = {**off, "first": {"index": [], "expected": 1.0, "got": 1 + 1e-9}}
    run = failures([("a", CheckResult("a", Status.FAILED, "off", details=details))])
    epsilon = Signature.of_runs("epsilon", [{**run, **failures(results(b="got 8"))}] * 2)

    assert diagnose([epsilon], results(b="got 8")) == [Diagnosis("epsilon", Sureness.LIKELY, ("b",))]


def test_mistakes_that_look_the_same_are_both_possible() -> None:
    twin = signature("twin", a="got 4", b="got 8", joint="step 1: got 4")

    both = diagnose([*ALL, twin], results(a="got 4", b="got 8", joint="step 1: got 4"))

    assert both == [
        Diagnosis("sum", Sureness.POSSIBLE, ("a", "b", "joint")),
        Diagnosis("twin", Sureness.POSSIBLE, ("a", "b", "joint")),
    ]


def test_an_exception_with_another_text_in_the_same_checks_is_likely() -> None:
    other = "f raised ValueError at line 30 of your file: B must divide K"

    assert found(d=other, e=other) == [("raises", "likely", ("d", "e"))]


def test_an_error_that_stops_everything_is_no_mistake_of_a_few_checks() -> None:
    broken = "f raised ValueError at line 2 of your file: no"

    assert found(a=broken, b=broken, c=broken, d=broken, e=broken, joint=broken) == []


def test_nothing_failed_nothing_named() -> None:
    assert found() == []
    assert diagnose([], results(a="got 4")) == []
    assert diagnose([Signature("never judged", {}, frozenset())], results(a="got 4")) == []


def test_only_mistakes_whose_checks_all_failed_are_conceivable() -> None:
    mistakes = [Mistake(name, name, fails, "hint") for name, fails in (("x", ("a",)), ("y", ("a", "b")), ("z", ("c",)))]

    assert conceivable(mistakes, results(a="got 4")) == mistakes[:1]
    assert conceivable(mistakes, results(a="got 4", b="got 8")) == mistakes[:2]
    assert conceivable(mistakes, results(a="f raised NotImplementedError at line 3 of your file: not yet")) == []
    assert conceivable(mistakes, results()) == []
