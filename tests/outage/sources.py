"""Submissions to *Halving* that say in their first line what their verdict must be."""

from __future__ import annotations

_BODIES = (
    ("accepted", "def halve(x):\n    return x / 2\n"),
    ("wrong_answer", "def halve(x):\n    return x / 3\n"),
    ("runtime_error", "def halve(x):\n    raise ValueError('no')\n"),
    ("accepted", "import time\n\ntime.sleep(0.5)\n\n\ndef halve(x):\n    return 0.5 * x\n"),
    ("wrong_answer", "import time\n\ntime.sleep(0.5)\n\n\ndef halve(x):\n    return 0.4 * x\n"),
    ("runtime_error", "def halve(x:\n"),
)


def source(number: int) -> str:
    verdict, body = _BODIES[number % len(_BODIES)]
    return f"# {verdict}, number {number}\n{body}"


def expected(text: str) -> str:
    return text.removeprefix("# ").partition(",")[0]
