"""What the loss refuses, and what it leaves alone."""

import math

import torch

from inputs import asking, matrix, views
from sandbox.checks import check, ensure


@check(
    "No argument is changed",
    section="loss",
    sentence="loss-unchanged",
    hint="Operations whose names end in `_`, `/=` and writing into a slice change the caller's tensor. So do `requires_grad_` and `detach_`, even though no value "
    "moves. Work on new tensors.",
)
def test_loss_unchanged(solution, rng):
    plain = views(rng, 3, 3)
    for tensors, kind in ((plain, "plain tensors"), (asking(*plain), "tensors that require grad")):
        run = solution.nt_xent_loss.run(*tensors, temperature=0.5)
        for tensor, name in zip(tensors, ("z_i", "z_j"), strict=True):
            ensure(not run.changed(tensor), f"{kind}: {name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Refuses a temperature that is no number",
    section="loss",
    sentence="temperature",
    hint="`True` is an `int` in Python, and a tensor divides like a number: both slip through unless you ask. The supplied `validate_temperature` does.",
)
def test_loss_refuses_temperature_type(solution, rng):
    tensors = views(rng, 2, 2)
    for temperature in (True, torch.tensor(0.5, dtype=torch.float64), "0.5", None):
        solution.nt_xent_loss.refuses(*tensors, temperature=temperature)


@check(
    "Refuses a temperature that is not finite and positive",
    section="loss",
    sentence="temperature",
    hint="Zero divides by zero, a negative temperature prefers the worst candidate, and NaN passes every comparison that is written the wrong way round.",
)
def test_loss_refuses_temperature_value(solution, rng):
    tensors = views(rng, 2, 2)
    for temperature in (0, -0.5, math.inf, math.nan):
        solution.nt_xent_loss.refuses(*tensors, temperature=temperature)


@check(
    "Refuses shapes that do not fit",
    section="loss",
    sentence="views",
    hint="Concatenation does not mind one row too few, so the pairs would silently move. Compare the shapes before you compute; the starter does it.",
)
def test_loss_refuses_shapes(solution, rng):
    first, second = views(rng, 2, 2)
    for arguments in (
        (first, second[:1]),
        (first, second[:, :1]),
        (first[0], second[0]),
        (first[None], second[None]),
        (first[:0], second[:0]),
        (first[:, :0], second[:, :0]),
    ):
        solution.nt_xent_loss.refuses(*arguments, temperature=0.5)


@check(
    "Refuses other dtypes, and a mixture",
    section="loss",
    sentence="view-dtypes",
    hint="float32 and float64 are legal, and both views have the same. Concatenation would promote a mixture without a word. Refuse it first: "
    "`validate_views` does.",
)
def test_loss_refuses_dtypes(solution, rng):
    first, second = views(rng, 2, 2)
    for arguments in (
        (first, second.float()),
        (first.half(), second.half()),
        (first.long(), second.long()),
        (first.tolist(), second),
    ):
        solution.nt_xent_loss.refuses(*arguments, temperature=0.5)


@check(
    "Refuses numbers that are not finite",
    section="loss",
    sentence="view-finite",
    hint="A NaN or an infinity in one row would spoil the mean of all. Ask `torch.isfinite` of both views.",
)
def test_loss_refuses_non_finite(solution):
    good = matrix([1, 2], [3, 4])
    for place, value in ((0, math.nan), (1, math.inf), (1, -math.inf)):
        arguments = [good, good]
        arguments[place] = matrix([1, 2], [value, 4])
        solution.nt_xent_loss.refuses(*arguments, temperature=0.5)
