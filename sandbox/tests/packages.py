"""A small package for tests of the sandbox: three functions, a check or two for each."""

from __future__ import annotations

import dataclasses

from sandbox.client import Client
from sandbox.protocol import CheckFinished, CheckResult, Job, Limits, Outcome, Package, Started

CHECKS = """
import torch

from sandbox.checks import check, close, ensure, equal


@check("Sums the squares", section="square", sentence="sum", hint="Square, then sum.")
def test_value(solution, rng):
    x = torch.randn(4, 3, generator=rng)
    close(solution.square(x), (x * x).sum(), what="the sum")


@check("Leaves a gradient of 2x", section="square")
def test_gradient(solution, rng):
    x = torch.randn(4, 3, generator=rng, dtype=torch.float64, requires_grad=True)
    run = solution.square.run(x, backward=True)
    close(run.gradient(x), 2 * x.detach(), what="gradient of x")


@check("Leaves its input alone", section="square")
def test_unchanged(solution, rng):
    x = torch.randn(4, 3, generator=rng)
    run = solution.square.run(x)
    ensure(not run.changed(x), f"square changed x: {run.changes(x)}.")


@check("Adds one", section="next")
def test_next(solution):
    equal(solution.next(3), 4, what="next(3)")


@check("Refuses a text", section="next")
def test_refuses(solution):
    solution.next.refuses("three")


@check("Copies", section="copy", required=False)
def test_copies(solution, rng):
    x = torch.randn(4, generator=rng)
    run = solution.copy.run(x)
    ensure(not run.shares_storage(x), "copy returned memory that it shares with x.")
"""

RIGHT = """
def square(x):
    return (x * x).sum()


def next(value):
    if not isinstance(value, int):
        raise TypeError("value must be an int")
    return value + 1


def copy(x):
    return x.clone()
"""

PACKAGE = Package(
    slug="small",
    version="1",
    functions={"square": "Tensor", "next": "int", "copy": "Tensor"},
    checks={"test_small.py": CHECKS},
    supplied={},
)
LIMITS = Limits(check_seconds=1.5, total_seconds=6.0, memory_mb=256, output_kb=16)


@dataclasses.dataclass(frozen=True)
class Judged:
    """One judged submission, as tests look at it."""

    outcome: Outcome
    results: tuple[CheckResult, ...]
    started: Started | None

    def __getitem__(self, check_id: str) -> CheckResult:
        return next(result for result in self.results if result.id == check_id)

    @property
    def statuses(self) -> dict[str, str]:
        return {result.id: str(result.status) for result in self.results}


def judge(
    client: Client, submission: str, package: Package = PACKAGE, limits: Limits = LIMITS, seed: int = 0
) -> Judged:
    """Judges a text and gathers the events."""
    results, started = [], None
    for event in client.judge(Job("test", submission, package, limits, seed)):
        if isinstance(event, CheckFinished):
            results.append(event.result)
        elif isinstance(event, Started):
            started = event
        elif isinstance(event, Outcome):
            return Judged(event, tuple(results), started)
    raise AssertionError("the events ended without an outcome")


def with_body(name: str, body: str) -> str:
    """The right submission, with the body of one function replaced."""
    signatures = {"square": "x", "next": "value", "copy": "x"}
    lines = "\n".join("    " + line for line in body.splitlines())
    return f"{RIGHT}\n\ndef {name}({signatures[name]}):\n{lines}\n"


def package_of(checks: str, functions: dict[str, str] | None = None, supplied: dict[str, str] | None = None) -> Package:
    """A package with checks of its own; its version is its text, so that no two share a checker template."""
    text = "from sandbox.checks import *\nimport torch\n" + checks
    return Package(
        "own", str(hash((text, str(supplied)))), functions or {"f": "Any"}, {"test_own.py": text}, supplied or {}
    )
