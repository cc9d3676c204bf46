"""Who is a candidate in the denominator, and how the losses of a batch come together.

Temperatures are passed by name and inputs have unit rows wherever a check is not about them, so that one
mistake fails few checks.
"""

import math

import torch

from inputs import batch, draw, expected_loss, matrix
from sandbox.checks import check, close, equal


@check(
    "Hand value with two negatives",
    section="loss",
    sentence="hand-value",
    hint="Write down the three similarities: 1 for the positive, -1 and 0 for the negatives. Divide all three by `T`, "
    "exponentiate, and put all three into the sum. What is left of $-\\log(e^{s^+} / \\text{sum})$?",
)
def test_loss_hand_value(solution):
    for temperature in (0.5, 0.2):
        loss = solution.moco_loss(matrix([1, 0]), matrix([1, 0]), matrix([-1, 0], [0, 1]), temperature=temperature)
        expected = math.log(1 + math.exp(-2 / temperature) + math.exp(-1 / temperature))
        close(loss, expected, what="loss", where=f"temperature {temperature}")


@check(
    "Denominator includes the positive, once",
    section="loss",
    sentence="denominator",
    hint="The denominator is a sum over `K + 1` candidates: the positive one time, and each row of the queue. Without the "
    "positive a loss can become negative; that cannot happen to $-\\log$ of a probability.",
)
def test_loss_denominator(solution):
    loss = solution.moco_loss(matrix([1, 0]), matrix([1, 0]), matrix([0, 1], [0, -1], [0, 1]), temperature=1.0)
    close(loss, math.log(1 + 3 * math.exp(-1)), what="loss")


@check(
    "Equal representations give log(K + 1)",
    section="loss",
    sentence="log-k-plus-one",
    hint="If everything is equal, all `K + 1` candidates are equally likely, so the loss is $\\log(K + 1)$: not $\\log K$, "
    "and not $\\log(K + B)$. Count the candidates that your denominator has.",
)
def test_loss_log_k_plus_one(solution, rng):
    row = draw(rng, 1, 4)
    close(solution.moco_loss(row.repeat(3, 1), row.repeat(3, 1), row.repeat(4, 1), temperature=0.5), math.log(5))
    close(solution.moco_loss(row, row, row, temperature=0.07), math.log(2), where="one negative")


@check(
    "The positive of query i is key i",
    section="loss",
    sentence="only-positive",
    hint="With query and key both `[B, D]`, the positive similarities are a vector of `B` numbers: row times row, summed over "
    "`D`. If you build logits and labels, ask in which column the positive stands in *every* row.",
)
def test_loss_own_key(solution):
    eye, queue = torch.eye(3, dtype=torch.float64), matrix([-1, 0, 0])
    for shift, where in ((0, "keys equal to their queries"), (1, "keys moved on by one row")):
        key = eye.roll(shift, 0)
        close(
            solution.moco_loss(eye, key, queue, temperature=0.5),
            expected_loss(eye, key, queue, 0.5),
            what="loss",
            where=where,
        )


@check(
    "Every row of the queue is a negative",
    section="loss",
    sentence="negatives",
    hint="The one hard negative stands first, then last. The loss must see it in both places: look for a "
    "slice that cuts a row off, or for a row of the queue that is taken for the positive.",
)
def test_loss_every_negative(solution):
    hard, easy = [1.0, 0.0], [0.0, 1.0]
    for place in (0, 2):
        queue = matrix(*(hard if row == place else easy for row in range(3)))
        loss = solution.moco_loss(matrix([1, 0]), matrix([1, 0]), queue, temperature=0.5)
        close(loss, math.log(2 + 2 * math.exp(-2)), what="loss", where=f"hard negative in row {place}")


@check(
    "Other keys of the batch are not negatives",
    section="loss",
    sentence="other-keys",
    hint="In MoCo negatives come from the queue alone. A product of all queries with all keys, `[B, B]`, is the loss of SimCLR: "
    "here only its diagonal is used. And the keys of this step must not be in the queue yet.",
)
def test_loss_other_keys(solution):
    same = matrix([1, 0], [1, 0], [1, 0])
    loss = solution.moco_loss(same, same, matrix([0, 1], [0, -1]), temperature=0.5)
    close(loss, math.log(1 + 2 * math.exp(-2)), what="loss")


@check(
    "The result is the mean over the batch",
    section="loss",
    sentence="mean",
    hint="A batch that holds the same sample four times has the same mean as the sample alone. A sum would be four times as "
    "large.",
)
def test_loss_mean(solution, rng):
    query, key, queue = batch(rng, 1, 3, 4)
    once = solution.moco_loss(query, key, queue, temperature=0.5)
    often = solution.moco_loss(query.repeat(4, 1), key.repeat(4, 1), queue, temperature=0.5)
    close(often, once, what="loss", where="the same sample four times")


@check(
    "One sample",
    section="loss",
    sentence="loss-shapes",
    hint="`B = 1` is legal. A bare `squeeze()` removes *every* dimension of size 1, the batch too; name the dimension that you mean.",
)
def test_loss_one_sample(solution, rng):
    query, key, queue = batch(rng, 1, 6, 5)
    loss = solution.moco_loss(query, key, queue, temperature=0.5)
    equal(tuple(loss.shape), (), what="shape of the loss")
    close(loss, expected_loss(query, key, queue, 0.5), what="loss")


@check(
    "Many samples",
    section="loss",
    sentence="loss-shapes",
    hint="Nine samples, thirteen negatives, five columns: three sizes that cannot be mixed up by accident. Write the shape of each "
    "intermediate result next to its line.",
)
def test_loss_many_samples(solution, rng):
    query, key, queue = batch(rng, 9, 13, 5)
    loss = solution.moco_loss(query, key, queue, temperature=0.5)
    equal(tuple(loss.shape), (), what="shape of the loss")
    close(loss, expected_loss(query, key, queue, 0.5), what="loss")


@check(
    "A dictionary of one row",
    section="loss",
    sentence="loss-shapes",
    hint="`K = 1` leaves two candidates, and the loss is $\\log(1 + e^{s^- - s^+})$. Look for a dimension that disappears, or "
    "that is broadcast, when it has size 1.",
)
def test_loss_single_negative(solution, rng):
    query, key, queue = batch(rng, 4, 1, 3)
    close(solution.moco_loss(query, key, queue, temperature=0.5), expected_loss(query, key, queue, 0.5), what="loss")


@check(
    "Rows with one column",
    section="loss",
    sentence="loss-shapes",
    hint="With `D = 1` each normalized row is 1 or -1, so similarities are $\\pm 1/T$. Normalize along the columns of a row, "
    "and sum over them, even if there is only one.",
)
def test_loss_one_column(solution):
    query, key, queue = matrix([3], [-2]), matrix([0.5], [4]), matrix([7], [-1], [-9])
    expected = (math.log(2 + 2 * math.exp(-4)) + math.log(2 + 2 * math.exp(4))) / 2
    close(solution.moco_loss(query, key, queue, temperature=0.5), expected, what="loss")


@check(
    "A row that is in the queue twice counts twice",
    section="loss",
    sentence="duplicate-row",
    hint="A dictionary may hold equal keys. Do not remove or merge them, and do not leave out a negative because it equals the positive.",
)
def test_loss_duplicate_row(solution):
    queue = matrix([0, 1], [0, 1], [1, 0])
    loss = solution.moco_loss(matrix([1, 0]), matrix([1, 0]), queue, temperature=0.5)
    close(loss, math.log(2 + 2 * math.exp(-2)), what="loss")


@check(
    "The order of the queue does not matter",
    section="loss",
    sentence="queue-order",
    hint="A sum does not know the order of its terms. Look for a row of the queue that is treated unlike the others.",
)
def test_loss_queue_order(solution, rng):
    query, key, queue = batch(rng, 3, 6, 4)
    first = solution.moco_loss(query, key, queue, temperature=0.5)
    second = solution.moco_loss(query, key, queue.flip(0).contiguous(), temperature=0.5)
    close(second, first, what="loss", where="queue from last to first row")


@check(
    "A joint permutation of the batch does not matter",
    section="loss",
    sentence="batch-order",
    hint="Query and key of one sample belong together; the place of the sample in the batch means nothing. If the loss changes, then a query "
    "met the key of another sample.",
)
def test_loss_batch_order(solution, rng):
    query, key, queue = batch(rng, 4, 5, 3)
    order = torch.tensor([2, 0, 1, 3])
    first = solution.moco_loss(query, key, queue, temperature=0.5)
    second = solution.moco_loss(query[order], key[order], queue, temperature=0.5)
    close(second, first, what="loss", where="rows 2, 0, 1, 3 of query and key")


@check(
    "A common rotation does not matter",
    section="loss",
    sentence="rotation",
    hint="Lengths and dot products of rows do not change when everything is rotated. What changes is a statistic that is "
    "taken down a column: normalize each row by itself.",
)
def test_loss_rotation(solution, rng):
    query, key, queue = batch(rng, 3, 5, 3)
    turn = matrix([0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]) @ matrix([1, 0, 0], [0, 0.28, -0.96], [0, 0.96, 0.28])
    first = solution.moco_loss(query, key, queue, temperature=0.5)
    second = solution.moco_loss(query @ turn, key @ turn, queue @ turn, temperature=0.5)
    close(second, first, what="loss", where="all rows rotated")
