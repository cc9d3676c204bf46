"""What a failed comparison says: in words for a learner, and as data for the report."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from sandbox.compare import CheckFailed, close, equal, record_margins, tolerance


def complaint(function: Any, *arguments: Any, **options: Any) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        function(*arguments, **options)
    return caught.value


def test_equal_numbers_and_tensors_pass() -> None:
    close(torch.tensor(0.5), 0.5)
    close(torch.tensor([0.5, 1.0]), [0.5, 1.0])
    close(1.0 + 1e-12, 1.0)
    close(torch.tensor([math.inf]), torch.tensor([math.inf]))
    close(torch.empty(0, 3), torch.empty(0, 3))
    equal(3, 3)
    equal((1, "a"), (1, "a"))
    equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    equal(torch.tensor([math.nan]), torch.tensor([math.nan]))


@pytest.mark.parametrize(
    ("got", "expected", "message"),
    [
        (torch.tensor(2.5), 0.5, "Loss: expected 0.5, got 2.5; off by 2, allowed 2.5e-05."),
        (
            torch.tensor(0.1000001, dtype=torch.float64),
            0.1,
            "Loss: expected 0.1, got 0.1000001; off by 1e-07, allowed 1.1e-09.",
        ),
        (torch.tensor(math.nan), 0.5, "Loss: expected 0.5, got nan."),
        (torch.tensor([0.5]), 0.5, "Loss: expected shape [] (a scalar), got [1]."),
        (
            torch.tensor(0.5),
            torch.tensor(0.5, dtype=torch.float64),
            "Loss: expected dtype torch.float64, got torch.float32.",
        ),
        ("half", 0.5, "Loss: expected numbers, got 'half'."),
        (None, 0.5, "Loss: expected numbers, got None."),
        ([1.0, [2.0]], [1.0, 2.0], "Loss: expected numbers, got [1, [2]]."),
        (
            torch.tensor([1.0, 2.0, 4.0]),
            [1.0, 3.0, 3.0],
            "Loss at [1]: expected 3, got 2; off by 1, allowed 5e-05. 2 of 3 entries differ.",
        ),
    ],
)
def test_close_says_expected_got_and_where(got: Any, expected: Any, message: str) -> None:
    assert complaint(close, got, expected, what="loss").message == message


def test_where_is_put_in_front() -> None:
    assert complaint(close, 1.0, 2.0, what="loss", where="step 3").message.startswith("Step 3: loss: expected 2, got 1")


def test_details_of_a_small_tensor_hold_all_of_it() -> None:
    details = complaint(close, torch.tensor([[1.0, math.inf]]), [[1.0, 2.0]], what="rows").details
    assert details is not None
    assert details["expected"] == [[1.0, 2.0]]
    assert details["got"] == [[1.0, "inf"]]
    assert details["differs"] == [[False, True]]
    assert details["first"] == {"index": [0, 1], "expected": 2.0, "got": "inf"}
    assert (details["differing"], details["entries"], details["shape"]) == (1, 2, [1, 2])


def test_details_of_a_large_tensor_hold_its_first_difference() -> None:
    got = torch.zeros(10, 10)
    got[3, 4] = 1
    details = complaint(close, got, torch.zeros(10, 10)).details
    assert details is not None
    assert details["expected"] is None
    assert details["first"] == {"index": [3, 4], "expected": 0.0, "got": 1.0}


@pytest.mark.parametrize(
    ("got", "expected", "message"),
    [
        (4, 3, "Pointer: expected 3, got 4."),
        (True, 1, "Pointer: expected 1 (int), got True (bool)."),
        (3.0, 3, "Pointer: expected 3 (int), got 3 (float)."),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), "Pointer at [1]: expected 3, got 2. 1 of 2 entries differ."),
        ("x" * 200, "y", "Pointer: expected 'y', got '" + "x" * 76 + "...."),
    ],
)
def test_equal_is_exact(got: Any, expected: Any, message: str) -> None:
    assert complaint(equal, got, expected, what="pointer").message == message


def test_tolerance_grows_with_the_logits() -> None:
    assert tolerance(torch.float64, 1.0) == 1e-9
    assert tolerance(torch.float32, 1e-3) == pytest.approx(16 * torch.finfo(torch.float32).eps / 1e-3)


@pytest.mark.parametrize("count", [1, 64, 65])
@pytest.mark.parametrize("off", [0.0, 1e-9, 1.0000001e-9, 2e-9, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("expected", [0.0, 1.0, -1e6, math.nan, math.inf])
def test_margins_and_size_change_no_verdict(count: int, off: float, expected: float) -> None:
    """Small tensors are compared as numbers, large ones and those whose margin is recorded by torch."""
    wanted = torch.full((count,), expected, dtype=torch.float64)
    got = wanted.clone()
    got[-1] += off
    ended = []
    for on in (False, True):
        record_margins(on=on)
        try:
            close(got, wanted)
            ended.append("passed")
        except CheckFailed as failed:
            ended.append(failed.message)
        finally:
            record_margins(on=False)
    assert ended[0] == ended[1]
    exact = float(got[-1]) == expected
    assert (ended[0] == "passed") == (exact or abs(float(got[-1]) - expected) <= 1e-9 + 1e-9 * abs(expected))
