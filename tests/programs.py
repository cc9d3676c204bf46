"""Programs outside Python that some tests need."""

from __future__ import annotations

import pytest

from tools.programs import Program, in_ci


def path_of(program: Program) -> str:
    """Where it is. Where it is not, the test is left out, or fails in CI; `make test` says so in its last line."""
    path = program.path
    if path is None:
        (pytest.fail if in_ci() else pytest.skip)(program.advice)
    return path
