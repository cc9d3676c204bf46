"""Normalization, temperature, dtype and stability of the loss."""

import math

import pytest
import torch

from inputs import batch, expected_loss, matrix
from sandbox.checks import check, close, tolerance


@check(
    "The scale of a row does not matter",
    section="loss",
    sentence="row-scale",
    hint="All three matrices are normalized, each row by its own norm. Multiplying a row by a positive number must then change "
    "nothing. A call that returns a normalized copy has no effect until you use what it returned.",
)
def test_loss_row_scale(solution, rng):
    query, key, queue = batch(rng, 3, 5, 4)
    plain = solution.moco_loss(query, key, queue, temperature=0.5)
    scales = matrix([0.001], [3], [1000], [7], [0.2])
    for where, scaled in (
        ("rows of query scaled", (query * scales[:3], key, queue)),
        ("rows of key scaled", (query, key * scales[:3], queue)),
        ("rows of queue scaled", (query, key, queue * scales)),
    ):
        close(solution.moco_loss(*scaled, temperature=0.5), plain, what="loss", where=where)


@check(
    "Each row is divided by its L2 norm",
    section="loss",
    sentence="row-norm",
    hint="The row `[3, 4]` becomes `[0.6, 0.8]`: its L2 norm is 5. Sum over the columns of one row (the last dimension), take the root, and "
    "divide query, key and queue alike.",
)
def test_loss_row_norm(solution):
    query, key, queue = matrix([3, 4], [0, 5]), matrix([4, 3], [5, 12]), matrix([-3, 4], [8, -6], [2, 0])
    sets = ((0.96, 0.28, 0.0, 0.6), (12 / 13, 0.8, -0.6, 0.0))
    losses = [math.log(sum(math.exp(s / 0.5) for s in sims)) - sims[0] / 0.5 for sims in sets]
    close(solution.moco_loss(query, key, queue, temperature=0.5), sum(losses) / 2, what="loss")


@check(
    "A zero row stays a zero row",
    section="loss",
    sentence="zero-row",
    hint="Zero divided by zero is NaN, and one NaN makes the whole mean NaN. Divide by the norm, but by no less than `1e-12`.",
)
def test_loss_zero_rows(solution):
    one, zero, queue = matrix([1, 0]), matrix([0, 0]), matrix([0, 0], [1, 0])
    for where, arguments, expected in (
        ("zero query", (zero, one, queue), math.log(3)),
        ("zero key and a zero row in the queue", (one, zero, queue), math.log(2 + math.exp(2))),
    ):
        close(solution.moco_loss(*arguments, temperature=0.5), expected, what="loss", where=where)


@check(
    "Tiny rows are divided by 1e-12, others by their norm",
    section="loss",
    sentence="row-norm",
    hint="The divisor is the *larger* of the norm and `1e-12`. Adding `1e-12` to the norm, or taking another bound such as `1e-8`, gives other "
    "values for rows that are nearly zero.",
)
def test_loss_tiny_rows(solution):
    for dtype in (torch.float64, torch.float32):
        query = matrix([3e-13, 4e-13], [6e-13, 8e-12], [1e-9, 0], dtype=dtype)
        key = matrix([2, 0], [3e-13, 4e-13], [1e-9, 1e-9], dtype=dtype)
        queue = matrix([0, -5], [5e-13, 0], [3e-10, -4e-10], dtype=dtype)
        close(
            solution.moco_loss(query, key, queue, temperature=0.5),
            expected_loss(query, key, queue, 0.5),
            what="loss",
            where=str(dtype).removeprefix("torch."),
        )


@check(
    "Inputs of size 1e15",
    section="loss",
    sentence="stable-inputs",
    hint="Normalize first: then no product is larger than 1, however large the inputs are. A dot product of rows that are not normalized yet "
    "can overflow, and so can an exponential of it.",
)
def test_loss_huge_rows(solution, rng):
    for dtype in (torch.float64, torch.float32):
        query, key, queue = batch(rng, 3, 4, 3, dtype)
        query, key, queue = query * 1e15, key * 1e15, queue * 1e15
        close(
            solution.moco_loss(query, key, queue, temperature=0.5),
            expected_loss(query, key, queue, 0.5),
            what="loss",
            where=str(dtype).removeprefix("torch."),
            atol=tolerance(dtype, 0.5),
        )


@check(
    "Strided views",
    section="loss",
    sentence="loss-strided",
    hint="The query is a transposed matrix, the key a slice with a step over columns, the queue one over rows. `.view` refuses them; `.reshape` and "
    "operations that name a dimension do not care how a tensor lies in memory.",
)
def test_loss_strided(solution, rng):
    query, key, queue = batch(rng, 4, 5, 3)
    column_major = query.t().contiguous().t()
    wide = torch.zeros(4, 6, dtype=torch.float64)
    wide[:, ::2] = key
    tall = torch.zeros(10, 3, dtype=torch.float64)
    tall[::2] = queue
    loss = solution.moco_loss(column_major, wide[:, ::2], tall[::2], temperature=0.5)
    close(loss, expected_loss(query, key, queue, 0.5), what="loss")


@check(
    "dtype is kept, and so is its precision",
    section="loss",
    sentence="loss-keeps-dtype",
    hint="A float64 input gives a float64 loss that is right to about fifteen digits; a detour through float32 or float16 "
    "keeps the dtype of the result but not its digits.",
)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_loss_dtype(solution, rng, precision):
    dtype = torch.float64 if precision == "float64" else torch.float32
    query, key, queue = batch(rng, 4, 6, 5, dtype)
    loss = solution.moco_loss(query, key, queue, temperature=0.05)
    expected = torch.tensor(expected_loss(query, key, queue, 0.05), dtype=dtype)
    close(loss, expected, what="loss", atol=tolerance(dtype, 0.05), rtol=8 * torch.finfo(dtype).eps)


@check(
    "Similarities are divided by the temperature",
    section="loss",
    sentence="similarity",
    hint="Divide every similarity by the argument `temperature`, the positive one too. Do not multiply by it, do not use a "
    "constant, and do not scale the loss afterwards.",
)
def test_loss_temperature(solution, rng):
    query, key, queue = batch(rng, 3, 5, 4)
    for temperature in (0.07, 1, 2.5):
        close(
            solution.moco_loss(query, key, queue, temperature=temperature),
            expected_loss(query, key, queue, temperature),
            what="loss",
            where=f"temperature {temperature}",
        )


@check(
    "The default temperature is 0.2",
    section="loss",
    sentence="temperature-default",
    hint="Look at the default value in the signature. MoCo v2 uses 0.2; the first version used 0.07.",
)
def test_loss_default_temperature(solution, rng):
    query, key, queue = batch(rng, 3, 5, 4)
    loss = solution.moco_loss(query, key, queue)
    close(loss, expected_loss(query, key, queue, 0.2), what="loss", where="temperature not given")


@check(
    "Stable at a small temperature",
    section="loss",
    sentence="stable-temperature",
    hint="$e^{1000}$ is infinite in float64, $e^{-1000}$ is zero. Take the largest similarity of *each row* out of its sum before you "
    "exponentiate, or let a function do it that is made for it. Never take the logarithm of a softmax, and do not clamp: the true "
    "loss *is* large here.",
)
@pytest.mark.parametrize("temperature", [1e-3, 1e-6])
def test_loss_small_temperature(solution, temperature):
    for dtype in (torch.float64, torch.float32):
        # The first query has low similarities and loses by 0.4; the second has a high one and wins, so that its loss is 0;
        # the third loses by 1.6 against a high one.
        query = matrix([1, 0], [0, -1], [-0.6, 0.8], dtype=dtype)
        key = matrix([-1, 0], [0, -1], [1, 0], dtype=dtype)
        queue = matrix([-0.6, 0.8], [-0.8, 0.6], dtype=dtype)
        loss = solution.moco_loss(query, key, queue, temperature=temperature)
        close(
            loss,
            2 / 3 / temperature,
            what="loss",
            where=str(dtype).removeprefix("torch."),
            atol=tolerance(dtype, temperature),
        )
