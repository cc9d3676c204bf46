"""What a crash is put down to."""

from __future__ import annotations

import pytest

from sandbox.client import Client
from sandbox.protocol import Limits
from sandbox.tests.packages import judge, with_body

FILL = "kept = []\nfor _ in range({}): kept.append(bytearray(1 << 20))\n"


@pytest.mark.parametrize(
    ("memory_mb", "filled_mb", "status"),
    [(64, 0, "runtime_error"), (64, 56, "memory_limit"), (512, 200, "runtime_error"), (512, 440, "memory_limit")],
)
def test_a_crash_is_one_of_memory_near_the_limit_alone(
    sandbox_client: Client, memory_mb: int, filled_mb: int, status: str
) -> None:
    """What a jail shares with its template does not count."""
    body = FILL.format(filled_mb) + "import ctypes\nctypes.string_at(0)"
    limits = Limits(check_seconds=10.0, total_seconds=30.0, memory_mb=memory_mb)
    assert judge(sandbox_client, with_body("next", body), limits=limits)["next"].status == status


@pytest.mark.parametrize(("size", "status"), [(16_000, "passed"), (17_000, "output_limit"), (200_000, "output_limit")])
def test_the_limit_of_output_does_not_depend_on_who_reads_first(sandbox_client: Client, size: int, status: str) -> None:
    """All of it fits into the pipe, so that the function returns; only `next(3)` prints."""
    body = f"if isinstance(value, int):\n    print('x' * {size})\nreturn value + 1"
    for _ in range(4):
        judged = judge(sandbox_client, with_body("next", body))
        assert (judged["next"].status, judged["refuses"].status, judged["copies"].status) == (
            status,
            "passed",
            "passed",
        )
        assert len(judged["next"].printed) > 4096
