"""A problem as small as one can be, for tests of what the web does with problems."""

FILES: dict[str, str] = {
    "problem.toml": """\
format = 1
title = "Halving"
summary = "Divide a tensor by two."
difficulty = "easy"
topics = ["arithmetic"]
position = 5

[paper]
title = "On Halves"
authors = ["Ada Able", "Ben Baker", "Cy Cole"]
year = 2021
venue = "Tests"
url = "https://example.org/halves"

[limits]
check_seconds = 1.0
total_seconds = 5.0

[functions]
halve = "Tensor"

[[sections]]
id = "halving"
title = "Halving"

[[sections]]
id = "care"
title = "Taking care"

[[notes]]
file = "notes/01-halves.md"
title = "Why halves"
""",
    "statement.md": """\
## Halving {#halving}

[`halve(x)` returns $x / 2$, entry by entry.]{#half}

## Taking care {#care}

[The input stays as it was.]{#unchanged}
""",
    "starter.py": """\
def halve(x):
    \"\"\"Return x / 2.\"\"\"
    raise NotImplementedError
""",
    "reference.py": """\
def halve(x):
    return x / 2
""",
    "notes/01-halves.md": """\
Half of $x$ is $x / 2$. This is what passing unlocks.
""",
    "checks/test_halving.py": """\
import torch

from sandbox.checks import check, close, ensure


@check("Two becomes one", section="halving", sentence="half", hint="Divide by **two**.")
def test_two(solution):
    close(solution.halve(torch.tensor([2.0, 4.0])), torch.tensor([1.0, 2.0]), what="half")


@check("Zero stays zero", section="halving", sentence="half", hint="Nothing to add.")
def test_zero(solution):
    close(solution.halve(torch.zeros(3)), torch.zeros(3), what="half")


@check("The input is not changed", section="care", sentence="unchanged", hint="Write to a new tensor.")
def test_unchanged(solution):
    x = torch.ones(2)
    ensure(not solution.halve.run(x).changed(x), "the input was changed")
""",
}
