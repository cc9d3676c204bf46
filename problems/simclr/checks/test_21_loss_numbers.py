"""Normalization, temperature, dtype and stability of the loss."""

import math

import pytest
import torch

from inputs import expected_loss, matrix, named, views
from sandbox.checks import check, close, tolerance


@check(
    "The scale of a row does not matter",
    section="loss",
    sentence="row-scale",
    hint="Cosine similarities do not know lengths. Normalize both views, each row by its own norm. A call that returns a normalized copy has no effect until you use "
    "what it returned.",
)
def test_loss_row_scale(solution, rng):
    first, second = views(rng, 3, 4)
    plain = solution.nt_xent_loss(first, second, temperature=0.5)
    scales = matrix([0.001], [3], [1000])
    for where, scaled in (
        ("rows of z_i scaled", (first * scales, second)),
        ("rows of z_j scaled", (first, second * scales)),
    ):
        close(solution.nt_xent_loss(*scaled, temperature=0.5), plain, what="loss", where=where)


@check(
    "A common rotation does not matter",
    section="loss",
    sentence="rotation",
    hint="Lengths and dot products of rows do not change when everything is rotated. What changes is a statistic that is taken down a column: "
    "normalize over the last dimension.",
)
def test_loss_rotation(solution, rng):
    first, second = views(rng, 3, 3)
    turn = matrix([0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]) @ matrix([1, 0, 0], [0, 0.28, -0.96], [0, 0.96, 0.28])
    one = solution.nt_xent_loss(first, second, temperature=0.5)
    other = solution.nt_xent_loss(first @ turn, second @ turn, temperature=0.5)
    close(other, one, what="loss", where="all rows rotated")


@check(
    "Inputs of size 1e15, and tiny ones",
    section="loss",
    sentence="stable-inputs",
    hint="Normalize first: then no product is larger than 1, however large the inputs are. A dot product of rows that are not normalized yet can overflow.",
)
def test_loss_extreme_rows(solution, rng):
    for dtype in (torch.float64, torch.float32):
        first, second = views(rng, 3, 3, dtype)
        first, second = first * 1e15, second * 1e-10
        loss = solution.nt_xent_loss(first, second, temperature=0.5)
        expected = expected_loss(first, second, 0.5)
        close(loss, expected, what="loss", where=named(dtype), atol=tolerance(dtype, 0.5))


@check(
    "dtype is kept, and so is its precision",
    section="loss",
    sentence="loss-keeps-dtype",
    hint="A float64 input gives a float64 loss that is right to about fifteen digits, also from strided views; a detour through float32 or float16 keeps the "
    "dtype of the result but not its digits.",
)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_loss_dtype(solution, rng, precision):
    dtype = torch.float64 if precision == "float64" else torch.float32
    # A softplus may take over its argument from 20 on: an error of 2e-9, which float64 must not meet here.
    temperature = 0.2 if precision == "float64" else 0.05
    first, second = views(rng, 8, 3, dtype)
    loss = solution.nt_xent_loss(first.t().contiguous().t()[::2], second[::2], temperature=temperature)
    expected = torch.tensor(expected_loss(first[::2], second[::2], temperature), dtype=dtype)
    close(loss, expected, what="loss", atol=tolerance(dtype, temperature), rtol=8 * torch.finfo(dtype).eps)


@check(
    "Similarities are divided by the temperature",
    section="loss",
    sentence="scaled",
    hint="Divide every similarity by the argument `temperature`, the positive one too. Do not multiply by it, do not use a constant, and do not scale the loss "
    "afterwards.",
)
def test_loss_temperature(solution, rng):
    first, second = views(rng, 3, 4)
    for temperature in (0.07, 1, 2.5):
        loss = solution.nt_xent_loss(first, second, temperature=temperature)
        close(loss, expected_loss(first, second, temperature), what="loss", where=f"temperature {temperature}")


@check(
    "The default temperature is 0.5",
    section="loss",
    sentence="temperature-default",
    hint="Look at the default value in the signature.",
)
def test_loss_default_temperature(solution, rng):
    first, second = views(rng, 3, 4)
    loss = solution.nt_xent_loss(first, second)
    close(loss, expected_loss(first, second, 0.5), what="loss", where="temperature not given")


@check(
    "Stable at a small temperature",
    section="loss",
    sentence="stable-temperature",
    hint="$e^{1000}$ is infinite in float64, $e^{-1000}$ is zero. Take the largest logit of *each row* out of its sum before you exponentiate, or let a function do "
    "it that is made for it. Never take the logarithm of a softmax, and do not clamp: the true loss *is* large here.",
)
@pytest.mark.parametrize("temperature", [1e-3, 1e-6])
def test_loss_small_temperature(solution, temperature):
    for dtype in (torch.float64, torch.float32):
        # Anchors 0 and 1 of both views lose by 0.2 and 1.4; those of the third sample win, so that their loss is 0.
        first = matrix([1, 0, 0], [0, 1, 0], [0, 0, 1], dtype=dtype)
        second = matrix([0.6, 0.8, 0], [0.8, -0.6, 0], [0, 0, 1], dtype=dtype)
        loss = solution.nt_xent_loss(first, second, temperature=temperature)
        expected, allowed = 3.2 / 6 / temperature, tolerance(dtype, temperature)
        close(loss, expected, what="loss", where=named(dtype), atol=allowed)


@check(
    "The hand value survives large and small numbers",
    section="loss",
    sentence="hand-value",
    hint="Two pairs on two axes, one row `1e15` long and one `1e-9`. No number is added anywhere: an epsilon under the logarithm or in the denominator shows here "
    "at `T = 0.05`, where the loss is $4 \\cdot 10^{-9}$.",
)
def test_loss_hand_value_scaled(solution):
    first, second = matrix([1e15, 0], [0, 1e-9]), matrix([2, 0], [0, 3])
    loss = solution.nt_xent_loss(first, second, temperature=0.05)
    close(loss, math.log1p(2 * math.exp(-20)), what="loss", atol=1e-13, rtol=0)
