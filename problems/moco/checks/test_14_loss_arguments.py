"""What the loss refuses, and what it leaves alone."""

import math

import torch

from inputs import asking, batch, matrix
from sandbox.checks import check, ensure


@check(
    "No argument is changed",
    section="loss",
    sentence="loss-unchanged",
    hint="Operations whose names end in `_`, `out=`, `+=` and writing into a slice change the caller's tensor. So do `requires_grad_` and "
    "`detach_`, even though no value moves. Work on new tensors.",
)
def test_loss_unchanged(solution, rng):
    plain = batch(rng, 3, 4, 3)
    for tensors, kind in ((plain, "plain tensors"), (asking(*plain), "tensors that require grad")):
        run = solution.moco_loss.run(*tensors, temperature=0.5)
        for tensor, name in zip(tensors, ("query", "key", "queue"), strict=True):
            ensure(not run.changed(tensor), f"{kind}: {name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Refuses a temperature that is no number",
    section="loss",
    sentence="temperature",
    hint="`True` is an `int` in Python, and a tensor divides like a number: both slip through unless you ask. The supplied "
    "`validate_temperature` does.",
)
def test_loss_refuses_temperature_type(solution, rng):
    tensors = batch(rng, 2, 3, 2)
    for temperature in (True, torch.tensor(0.2, dtype=torch.float64), "0.2"):
        solution.moco_loss.refuses(*tensors, temperature=temperature)


@check(
    "Refuses a temperature that is not finite and positive",
    section="loss",
    sentence="temperature",
    hint="Zero divides by zero, a negative temperature prefers the worst key, and NaN passes every comparison that is written the wrong "
    "way round. The supplied `validate_temperature` refuses all of them.",
)
def test_loss_refuses_temperature_value(solution, rng):
    tensors = batch(rng, 2, 3, 2)
    for temperature in (0, -0.2, math.inf, math.nan):
        solution.moco_loss.refuses(*tensors, temperature=temperature)


@check(
    "Refuses shapes that do not fit",
    section="loss",
    sentence="loss-shapes",
    hint="Broadcasting makes many wrong shapes work: one key for two queries, a vector for a matrix. Compare the shapes before you compute; the "
    "starter does it.",
)
def test_loss_refuses_shapes(solution, rng):
    query, key, queue = batch(rng, 2, 3, 2)
    for arguments in (
        (query, key[:1], queue),
        (query, key, queue[:, :1]),
        (query[0], key[0], queue),
        (query, key, queue[None]),
        (query[:0], key[:0], queue),
        (query, key, queue[:0]),
        (query[:, :0], key[:, :0], queue[:, :0]),
    ):
        solution.moco_loss.refuses(*arguments, temperature=0.5)


@check(
    "Refuses other dtypes, and a mixture",
    section="loss",
    sentence="loss-dtypes",
    hint="float32 and float64 are legal, and all three arguments have the same. Promotion would hide a mixture, and integers fail "
    "late with a message about something else. Refuse them first: `validate_pair` does.",
)
def test_loss_refuses_dtypes(solution, rng):
    query, key, queue = batch(rng, 2, 3, 2)
    for arguments in (
        (query, key.float(), queue),
        (query, key, queue.float()),
        (query.half(), key.half(), queue.half()),
        (query.long(), key.long(), queue.long()),
        (query.tolist(), key, queue),
    ):
        solution.moco_loss.refuses(*arguments, temperature=0.5)


@check(
    "Refuses numbers that are not finite",
    section="loss",
    sentence="loss-finite",
    hint="A NaN or an infinity in one row would spoil the mean of all. Ask `torch.isfinite` of each of the three arguments.",
)
def test_loss_refuses_non_finite(solution):
    good = matrix([1, 2], [3, 4])
    for place, value in ((0, math.nan), (1, math.inf), (2, -math.inf)):
        arguments = [good, good, good]
        arguments[place] = matrix([1, 2], [value, 4])
        solution.moco_loss.refuses(*arguments, temperature=0.5)
