"""Hidden checks. The id of a check is the function's name without test_."""

import torch

from oracle import slope, standardized
from sandbox.checks import check, close, ensure


@check(
    "Each row by its own mean and deviation",
    section="task",
    sentence="deviation",
    hint="The variance is a mean over the `D` entries of a row, without Bessel's correction.",
)
def test_value(solution, rng):
    x = torch.randn(3, 4, generator=rng, dtype=torch.float64)
    expected = [standardized(row, 1e-5) for row in x.tolist()]
    close(solution.standardize(x), torch.tensor(expected, dtype=torch.float64), what="result")


@check(
    "A shifted row gives the same result",
    section="task",
    sentence="mean",
    hint="Subtract the mean first: then a number that is added to a whole row is gone.",
)
def test_shift(solution, rng):
    x = torch.randn(3, 4, generator=rng, dtype=torch.float64)
    close(solution.standardize(x + 5), solution.standardize(x), what="result for x + 5")


@check(
    "The dtype is kept",
    section="task",
    sentence="shape",
    hint="float32 in, float32 out. Let torch choose the dtype of what you make.",
)
def test_dtype(solution, rng):
    x = torch.randn(2, 5, generator=rng, dtype=torch.float32)
    expected = [standardized(row, 1e-5) for row in x.tolist()]
    close(solution.standardize(x), torch.tensor(expected), what="result")


@check(
    "Rows of equal numbers, and another epsilon",
    section="task",
    sentence="epsilon",
    hint="Add `epsilon` to the variance, under the root; its default is `1e-5`.",
)
def test_epsilon(solution):
    x = torch.tensor([[2.0, 2.0, 2.0], [0.001, 0.002, 0.003]], dtype=torch.float64)
    for epsilon, result in ((1e-5, solution.standardize(x)), (0.1, solution.standardize(x, epsilon=0.1))):
        expected = torch.tensor([standardized(row, epsilon) for row in x.tolist()], dtype=torch.float64)
        close(result, expected, what="result", where=f"epsilon {epsilon}")


@check(
    "Gradients agree with finite differences",
    section="care",
    sentence="gradients",
    hint="Mean and variance depend on every entry of the row, so nothing on the way may be detached.",
)
def test_gradient(solution, rng):
    x = torch.randn(2, 3, generator=rng, dtype=torch.float64).requires_grad_()
    cotangent = torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], dtype=torch.float64)
    gradient = solution.standardize.run(x, backward=cotangent).gradient(x)
    ensure(gradient is not None, "No gradient reached x: its .grad is None.")
    rows = zip(x.detach().tolist(), (0, 2), strict=True)
    expected = [[slope(row, 1e-5, of, by) for by in range(3)] for row, of in rows]
    close(gradient, torch.tensor(expected, dtype=torch.float64), what="gradient of x", atol=1e-7, rtol=1e-7)


@check(
    "The argument stays as it was",
    section="care",
    sentence="unchanged",
    hint="Operations whose names end in `_`, and `-=`, write into the caller's tensor.",
)
def test_unchanged(solution, rng):
    x = torch.randn(2, 3, generator=rng)
    run = solution.standardize.run(x)
    ensure(not run.changed(x), f"x was changed by the call: {run.changes(x)}.")


@check(
    "Refuses what is no matrix",
    section="care",
    sentence="refusal",
    hint="Ask for the number of dimensions before you compute.",
)
def test_refusal(solution):
    solution.standardize.refuses(torch.ones(3))
    solution.standardize.refuses(torch.ones(2, 3, 4))
