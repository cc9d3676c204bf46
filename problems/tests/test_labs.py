"""The figures that the front end's tests compare the labs with are those of the judge's oracle."""

from __future__ import annotations

import json

import pytest

from problems.tests.lab_figures import FILE, RUNS, trajectory


@pytest.mark.parametrize("number", range(len(RUNS)))
def test_the_figures_of_the_labs_are_the_oracles(number: int) -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))[number]

    computed = trajectory(**RUNS[number])

    assert {name: written[name] for name in RUNS[number]} == RUNS[number]
    assert written["labels"] == computed["labels"]
    for name in ("queries", "keys"):
        for row, expected in zip(written[name], computed[name], strict=True):
            assert row == pytest.approx(expected, abs=1e-9)
    for step, expected in zip(written["shown"], computed["shown"], strict=True):
        for name, value in expected.items():
            assert step[name] == (value if value is None else pytest.approx(value, abs=1e-9)), name
