"""How near a comparison came to its tolerance: told of failed checks always, of passed ones for verification."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from sandbox.client import Client
from sandbox.compare import CheckFailed, close, record_margins
from sandbox.protocol import CheckFinished, Job
from sandbox.tests.packages import PACKAGE, RIGHT


def test_the_nearest_comparison_of_a_check_is_kept() -> None:
    record = record_margins(on=True)
    assert record is not None
    close(1.25, 1.0, atol=1.0, rtol=0.0, what="first")
    close(torch.tensor([1.0, 1.75, 0.5]), [1.0, 1.0, 1.0], atol=1.0, rtol=0.0, what="second", where="step 2")
    close(1.5, 1.0, atol=1.0, rtol=0.0, what="third")
    record_margins(on=False)
    assert record.details == {
        "kind": "margin",
        "what": "second",
        "where": "step 2",
        "dtype": "float32",
        "error": 0.75,
        "allowed": 1.0,
        "ratio": 0.75,
    }


def test_equal_values_have_no_error_even_where_none_is_allowed() -> None:
    record = record_margins(on=True)
    assert record is not None
    close([2.0, float("inf")], [2.0, float("inf")], atol=0.0, rtol=0.0)
    record_margins(on=False)
    assert record.details is not None
    assert (record.details["error"], record.details["ratio"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("got", "margin"),
    [
        ([1.0, 4.0], {"error": 3.0, "allowed": 1.0, "ratio": 3.0}),
        ([1.0, float("nan")], {"error": "nan", "allowed": 1.0, "ratio": "nan"}),
        ([float("-inf"), 1.0], {"error": "inf", "allowed": 1.0, "ratio": "inf"}),
    ],
)
def test_a_failed_comparison_tells_its_distance(got: list[float], margin: dict[str, object]) -> None:
    with pytest.raises(CheckFailed) as caught:
        close(got, [1.0, 1.0], atol=1.0, rtol=0.0)
    assert caught.value.details is not None
    assert caught.value.details["margin"] == margin


def test_a_job_asks_for_margins(sandbox_client: Client) -> None:
    job = Job("margins", RIGHT, PACKAGE)
    plain, recorded = (
        {
            event.result.id: event.result.details
            for event in sandbox_client.judge(dataclasses.replace(job, record=record))
            if isinstance(event, CheckFinished)
        }
        for record in (False, True)
    )
    assert set(plain.values()) == {None}
    assert recorded["value"] is not None
    assert recorded["value"]["what"] == "the sum"
    assert recorded["value"]["ratio"] <= 1.0
    assert recorded["next"] is None
