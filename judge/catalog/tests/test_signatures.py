"""What of a failed check belongs to a mistake, and when another run looks like it."""

import json
from typing import Any

import pytest

from judge.catalog.signatures import Agreement, Failure, Signature, failure_of, failures, place_of_error
from sandbox.protocol import CheckResult, Status


def compared(got: Any, expected: float = 1.0, *, where: str = "", dtype: str = "float64") -> CheckResult:
    """A comparison of one number that failed."""
    details = {
        "kind": "comparison",
        "what": "loss",
        "where": where,
        "shape": [],
        "dtype": dtype,
        "got": got,
        "first": {"index": [], "expected": expected, "got": got},
    }
    return CheckResult("hand", Status.FAILED, f"Loss: expected {expected}, got {got}.", details=details)


def told(message: str, status: Status = Status.FAILED) -> Failure:
    return failure_of(CheckResult("hand", status, message))


def raised(message: str) -> Failure:
    return told(message, Status.RUNTIME_ERROR)


def test_the_same_value_agrees_up_to_rounding() -> None:
    known = failure_of(compared(1.5))

    assert known.agreement(failure_of(compared(1.5 + 1e-9))) is Agreement.VALUES
    assert known.agreement(failure_of(compared(1.5001))) is Agreement.KIND
    assert known.agreement(failure_of(compared(1.5, where="step 2"))) is Agreement.NONE


def test_single_precision_agrees_up_to_its_own_rounding() -> None:
    known = failure_of(compared(1.5, dtype="float32"))

    assert known.agreement(failure_of(compared(1.50004, dtype="float32"))) is Agreement.VALUES


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_what_is_not_finite_agrees_with_itself_alone(value: str) -> None:
    known = failure_of(compared(value))

    assert known.agreement(failure_of(compared(value))) is Agreement.VALUES
    assert known.agreement(failure_of(compared(2000.0))) is Agreement.KIND


def test_errors_of_rounding_agree_by_their_size() -> None:
    known = failure_of(compared(1 + 6e-8))

    assert known.agreement(failure_of(compared(1 - 2e-8))) is Agreement.VALUES
    assert known.agreement(failure_of(compared(1 + 1e-4))) is Agreement.KIND
    assert known.agreement(failure_of(compared(1.5))) is Agreement.KIND


def test_what_changes_with_the_inputs_is_not_compared_but_its_relation_is() -> None:
    fourfold = failure_of(compared(8.0, 2.0)).common(failure_of(compared(12.0, 3.0)))

    assert fourfold.numbers == (None,)
    assert fourfold.agreement(failure_of(compared(4.4, 1.1))) is Agreement.VALUES
    assert fourfold.agreement(failure_of(compared(3.3, 1.1))) is Agreement.KIND
    assert fourfold.tells_values


def test_what_has_nothing_in_common_but_the_check_tells_no_values() -> None:
    drawn = failure_of(compared(8.0, 2.0)).common(failure_of(compared(5.0, 3.0)))
    assert not drawn.tells_values
    assert drawn.agreement(failure_of(compared(1.0, 7.0))) is Agreement.VALUES

    mixed = failure_of(compared(8.0, 2.0)).common(told("the shape is [3]"))
    assert not mixed.tells_values
    assert mixed.agreement(told("anything")) is Agreement.KIND


def test_messages_agree_in_words_and_numbers() -> None:
    known = told("f(tensor of shape [3, 2], -1) must raise TypeError or ValueError; it returned an int (0).")

    same = "f(tensor of shape [3, 2], -1) must raise TypeError or ValueError; it returned an int (0)."
    assert known.agreement(told(same)) is Agreement.VALUES
    assert known.agreement(told(same.replace("-1", "3"))) is Agreement.KIND
    assert known.agreement(told(same.replace("-1", "True"))) is Agreement.NONE
    assert known.tells_values


def test_an_exception_agrees_wherever_it_was_raised() -> None:
    known = raised("f raised ValueError at line 7 of your file: expected 2, got 0\n  solution.py:7 in f: a, b = c")

    assert known.agreement(raised("f raised ValueError at line 90 of your file: expected 2, got 0")) is Agreement.VALUES
    assert known.agreement(raised("f raised ValueError at line 7 of your file: too few")) is Agreement.KIND
    assert known.agreement(raised("f raised TypeError at line 7 of your file: expected 2, got 0")) is Agreement.NONE
    assert "solution.py" not in str(known)


def test_one_place_is_a_type_a_line_and_a_text() -> None:
    def place(message: str) -> str | None:
        return place_of_error(CheckResult("hand", Status.RUNTIME_ERROR, message))

    first = place("f raised ValueError at line 7 of your file: it is 3")
    assert first == place("g raised ValueError at line 7 of your file: it is 4")
    assert first != place("f raised ValueError at line 8 of your file: it is 3")
    assert first != place("f raised ValueError at line 7 of your file: it was 3")
    assert place("stopped") is None


def test_what_did_not_run_is_no_failure() -> None:
    results = [
        ("a", CheckResult("a", Status.PASSED)),
        ("b", CheckResult("b", Status.NOT_RUN)),
        ("c", CheckResult("c", Status.JUDGE_ERROR, "our fault")),
        ("d", CheckResult("d", Status.TIME_LIMIT, "more than 2 s")),
    ]

    assert list(failures(results)) == ["d"]


def test_a_signature_is_what_its_runs_have_in_common() -> None:
    runs = [
        {"hand": failure_of(compared(1.5)), "drawn": failure_of(compared(5.0, 2.0)), "rare": told("at times")},
        {"hand": failure_of(compared(1.5)), "drawn": failure_of(compared(6.0, 4.0))},
    ]

    signature = Signature.of_runs("wrong/a.py", runs)

    assert signature.always["hand"].numbers == (1.5,)
    assert signature.always["drawn"].numbers == (None,)
    assert signature.sometimes == {"rare"}
    assert signature.checks == {"hand", "drawn", "rare"}


def test_a_signature_survives_json() -> None:
    runs = [{"hand": failure_of(compared("nan")), "other": told("-1 of 3")}] * 2
    signature = Signature.of_runs("wrong/a.py", runs)

    copy = Signature.from_json(json.loads(json.dumps(signature.as_json())))

    assert copy.as_json() == signature.as_json()
    assert copy.always["hand"].agreement(failure_of(compared("nan"))) is Agreement.VALUES
