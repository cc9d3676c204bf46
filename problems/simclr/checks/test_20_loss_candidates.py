"""Who is compared with whom, and how the losses of the anchors come together.

Temperatures are passed by name and inputs have unit rows wherever a check is not about them, so that one
mistake fails few checks.
"""

import math

import torch

from inputs import expected_loss, matrix, views
from sandbox.checks import check, close, equal, tolerance

SAME_VIEW = (matrix([1, 0], [1, 0]), matrix([0, 1], [0, -1]))
"""The anchors of z_i have a hard negative in their own view; those of z_j have an easy one."""


@check(
    "Hand value with two pairs",
    section="loss",
    sentence="hand-value",
    hint="Each of the four anchors has one positive with the similarity 1 and two negatives with the similarity 0. Divide all three by `T`, "
    "exponentiate, and put all three into the sum. What is left of $-\\log(e^{s^+} / \\text{sum})$?",
)
def test_loss_hand_value(solution):
    eye = torch.eye(2, dtype=torch.float64)
    for temperature in (0.5, 0.2):
        loss = solution.nt_xent_loss(eye, eye, temperature=temperature)
        close(loss, math.log(1 + 2 * math.exp(-1 / temperature)), what="loss", where=f"temperature {temperature}")


@check(
    "Equal representations give log(2N - 1)",
    section="loss",
    sentence="log-candidates",
    hint="If everything is equal, all candidates are equally likely, so the loss is the logarithm of their number. There are `2N` representations, and an anchor "
    "is no candidate of its own: `2N - 1`. Not `2N`, not `N`, not `2N - 2`.",
)
def test_loss_log_candidates(solution):
    row = matrix([0.6, 0.8])
    for size in (2, 4):
        same = row.repeat(size, 1)
        loss = solution.nt_xent_loss(same, same, temperature=0.5)
        close(loss, math.log(2 * size - 1), what="loss", where=f"{size} pairs")


@check(
    "One pair alone has nothing to lose",
    section="loss",
    sentence="one-pair",
    hint="With `N = 1` the positive is the only candidate, so it is found for certain, and the loss is $\\log 1 = 0$. Look for a `squeeze()`, for a self-similarity that "
    "stayed in, or for a division by `2N - 2`.",
)
def test_loss_one_pair(solution):
    loss = solution.nt_xent_loss(matrix([1, 0]), matrix([0.6, 0.8]), temperature=0.5)
    equal(tuple(loss.shape), (), what="shape of the loss")
    close(loss, 0.0, what="loss")


@check(
    "The positive is the other view of the same sample",
    section="loss",
    sentence="positive",
    hint="In the stacked matrix the partner of row `k` is row `k + N`, and the partner of row `k + N` is row `k`. Write the labels down for "
    "`N = 3`: `3, 4, 5, 0, 1, 2`. Labels `1, 0, 3, 2, 5, 4` belong to the paper's order of rows.",
)
def test_loss_own_pair(solution):
    eye = torch.eye(3, dtype=torch.float64)
    for shift, where in ((0, "both views equal"), (1, "the second view moved on by one row")):
        other = eye.roll(shift, 0)
        loss = solution.nt_xent_loss(eye, other, temperature=0.5)
        close(loss, expected_loss(eye, other, 0.5), what="loss", where=where)


@check(
    "The denominator includes the positive, once",
    section="loss",
    sentence="denominator",
    hint="The sum goes over the positive and the negatives. Without the positive a loss can become negative; that cannot happen to $-\\log$ of a "
    "probability. (A later paper leaves it out on purpose and calls that decoupled.)",
)
def test_loss_denominator(solution):
    rows = matrix([1, 0], [-1, 0])
    close(solution.nt_xent_loss(rows, rows, temperature=1.0), math.log(1 + 2 * math.exp(-2)), what="loss")


@check(
    "An anchor is not compared with itself",
    section="loss",
    sentence="itself",
    hint="The diagonal of the similarity matrix has to leave the sum. Setting it to 0 before the exponential leaves $e^0 = 1$ in it; the number whose exponential is zero is "
    "$-\\infty$. Or cut the diagonal out before you sum.",
)
def test_loss_itself(solution):
    eye = torch.eye(2, dtype=torch.float64)
    loss = solution.nt_xent_loss(eye, -eye, temperature=0.5)
    close(loss, math.log(1 + 2 * math.exp(2)), what="loss")


@check(
    "The anchor is left out at every temperature",
    section="loss",
    sentence="itself",
    hint="The four rows are corners of a tetrahedron: all similarities are $-1/3$, and the loss is $\\log 3$ at every temperature. A mask with a number such as `-100` or "
    "`-1e4` is larger than $-1/(3T)$ when $T$ is small, and $e^{1/T}$ cannot be subtracted from a sum that has overflowed.",
)
def test_loss_itself_small_temperature(solution):
    first, second = matrix([1, 1, 1], [1, -1, -1]), matrix([-1, 1, -1], [-1, -1, 1])
    for temperature in (0.5, 1e-3, 1e-6):
        loss = solution.nt_xent_loss(first, second, temperature=temperature)
        allowed = tolerance(torch.float64, temperature)
        close(loss, math.log(3), what="loss", where=f"temperature {temperature}", atol=allowed)


@check(
    "An anchor of zeros is left out too",
    section="loss",
    sentence="itself",
    hint="The similarity of a zero row to itself is 0, not 1. A formula that subtracts $e^{1/T}$ from the sum takes away more than there was; leave the diagonal out "
    "by its place, not by its value.",
)
def test_loss_zero_rows(solution):
    first, second = matrix([0, 0], [1, 0]), matrix([1, 0], [0, 0])
    # The two anchors of zeros see three zeros. The others have their positive at 0 and their partner of the other sample at 1.
    expected = (math.log(3) + math.log(2 + math.exp(2))) / 2
    close(solution.nt_xent_loss(first, second, temperature=0.5), expected, what="loss")


@check(
    "Negatives come from both views",
    section="loss",
    sentence="negatives",
    hint="An anchor has `2N - 2` negatives: both views of all other samples, also those of its own view. A product of `z_i` with `z_j`, `[N, N]`, has "
    "only half of them: that is the loss of CLIP.",
)
def test_loss_negatives(solution):
    for second, where in (
        (SAME_VIEW[1], "hard negatives in the first view"),
        (matrix([0, 1], [0, 1]), "hard negatives in both views"),
    ):
        loss = solution.nt_xent_loss(SAME_VIEW[0], second, temperature=0.5)
        close(loss, expected_loss(SAME_VIEW[0], second, 0.5), what="loss", where=where)


@check(
    "Each view is an anchor, and the mean is over all 2N",
    section="loss",
    sentence="mean",
    hint="The two anchors of `z_i` lose $\\log(2 + e^{2})$ here, the two of `z_j` lose $\\log(2 + e^{-2})$. The loss of a batch is the sum of all four, divided by four: "
    "not by `N`, and not of one view alone.",
)
def test_loss_mean(solution):
    expected = (math.log(2 + math.exp(2)) + math.log(2 + math.exp(-2))) / 2
    close(solution.nt_xent_loss(*SAME_VIEW, temperature=0.5), expected, what="loss")


@check(
    "Many samples",
    section="loss",
    sentence="candidates",
    hint="Seven samples with five columns: two sizes that cannot be mixed up by accident. Write the shape of each intermediate result next to its line, and count the "
    "candidates of one anchor: 13.",
)
def test_loss_many_samples(solution, rng):
    first, second = views(rng, 7, 5)
    loss = solution.nt_xent_loss(first, second, temperature=0.5)
    equal(tuple(loss.shape), (), what="shape of the loss")
    close(loss, expected_loss(first, second, 0.5), what="loss")


@check(
    "Rows with one column",
    section="loss",
    sentence="candidates",
    hint="With `D = 1` each normalized row is 1 or -1. Normalize along the columns of a row, and sum over them, even if there is only one.",
)
def test_loss_one_column(solution):
    first, second = matrix([3], [-2], [0.5]), matrix([7], [-1], [-9])
    loss = solution.nt_xent_loss(first, second, temperature=0.5)
    close(loss, expected_loss(first, second, 0.5), what="loss")


@check(
    "The views may be exchanged",
    section="loss",
    sentence="view-order",
    hint="Every representation is an anchor once and a candidate of all others, whichever view it is. If the loss changes, then one view is treated unlike "
    "the other.",
)
def test_loss_view_order(solution, rng):
    first, second = views(rng, 3, 4)
    one = solution.nt_xent_loss(first, second, temperature=0.5)
    close(solution.nt_xent_loss(second, first, temperature=0.5), one, what="loss", where="z_j and z_i exchanged")


@check(
    "A joint permutation of the samples does not matter",
    section="loss",
    sentence="sample-order",
    hint="Both views of a sample belong together; the place of the sample in the batch means nothing. If the loss changes, then a row met the partner of another.",
)
def test_loss_sample_order(solution, rng):
    first, second = views(rng, 4, 3)
    order = torch.tensor([2, 0, 3, 1])
    one = solution.nt_xent_loss(first, second, temperature=0.5)
    other = solution.nt_xent_loss(first[order], second[order], temperature=0.5)
    close(other, one, what="loss", where="rows 2, 0, 3, 1 of both views")
