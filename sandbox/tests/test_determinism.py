"""The same submission ends the same way every time: alone, and beside others."""

from __future__ import annotations

import concurrent.futures
import dataclasses

import pytest

from sandbox.client import Client
from sandbox.tests.packages import RIGHT, Judged, judge, with_body

TIMES = 100
MIXED = with_body(
    "square", "print('squaring')\nif x.dtype == x.double().dtype: raise ValueError('no doubles')\nreturn x.sum()"
)


def what_is_said(judged: Judged) -> object:
    """Everything of a judgement but the time that it took."""
    results = [dataclasses.replace(result, ms=0.0) for result in judged.results]
    return dataclasses.replace(judged.outcome, ms=0.0), results


@pytest.mark.parametrize("submission", [RIGHT, MIXED], ids=["right", "mixed"])
def test_alone_and_under_load(sandbox_client: Client, submission: str) -> None:
    first = what_is_said(judge(sandbox_client, submission))
    for _ in range(TIMES // 2):
        assert what_is_said(judge(sandbox_client, submission)) == first
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        judged = pool.map(lambda _: what_is_said(judge(sandbox_client, submission)), range(TIMES // 2))
        assert all(said == first for said in judged)
