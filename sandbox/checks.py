"""What authors of checks import: `from sandbox.checks import check, close`.

    @check("Denominator includes the positive", section="loss", sentence="denominator", hint="...")
    def test_hand_denominator(solution):
        loss = solution.moco_loss(q, k, queue, temperature=0.5)
        close(loss, math.log(1 + math.exp(-4) + math.exp(-2)), what="loss")

`solution` stands for the submission, which runs in a process of its own. A call sends the arguments there, with dtype,
shape, strides, shared storage and `requires_grad` as they are, and gives back real tensors. What the submission does
wrong on the way (it raises, takes too long, returns another type) ends the check with the right status and message;
an author handles none of it.

- `solution.f(...)`: the value, its type already compared with `[functions]` of problem.toml.
- `solution.f.run(..., backward=True)`: a `Run`: the value, gradients, what changed, what shares memory.
- `solution.f.refuses(...)`: the check that a broken contract raises `TypeError` or `ValueError`.
- `layer = solution.Layer(...)`: where `[functions]` says `Layer = "Module"`, a `Module` that stays in that process; it
  is called, run and asked for parameters as if it were here.
- `solution.experiment(...)`: what the package's `experiment.py` returned, run with the submission's functions.
- `Trajectory(states, names).follow(solution)`: the experiment against the judge's own run, both kept for the report.

`rng` is a second fixture: a `torch.Generator`, seeded from the job's seed and the check's id.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TypeVar

from sandbox.compare import CheckFailed, close, ensure, equal, fail, tolerance
from sandbox.proxy import Module, Run, Solution
from sandbox.trajectory import Trajectory

__all__ = [
    "CheckFailed",
    "Module",
    "Run",
    "Solution",
    "Trajectory",
    "check",
    "close",
    "ensure",
    "equal",
    "fail",
    "tolerance",
]

_Test = TypeVar("_Test", bound=Callable[..., None])


@dataclasses.dataclass(frozen=True)
class Mark:
    """What `check` says of a test function."""

    title: str
    section: str
    sentence: str | None
    hint: str
    required: bool


def check(
    title: str, *, section: str, sentence: str | None = None, hint: str = "", required: bool = True
) -> Callable[[_Test], _Test]:
    """Makes a test function a check.

    Args:
        title: what holds when it passes, as a learner reads it in the report.
        section: the id of the section of the statement that it belongs to.
        sentence: the id of the sentence of the statement that it stands for.
        hint: Markdown that helps without giving the code; folded until the learner asks.
        required: whether a submission must pass it to be accepted.
    """

    def mark(test: _Test) -> _Test:
        setattr(test, "check_mark", Mark(title, section, sentence, hint, required))  # noqa: B010
        return test

    return mark
