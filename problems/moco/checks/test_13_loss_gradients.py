"""Where gradients of the loss go, and what they are."""

import torch

from inputs import asking, batch, expected_loss, matrix
from oracle import loss_gradient, rows
from sandbox.checks import check, close, ensure


@check(
    "The gradient of query agrees with finite differences",
    section="loss",
    sentence="gradient-query",
    hint="The judge moves each entry of `query` a little and looks at the loss. Nothing between `query` and the loss may be detached: not "
    "the positive similarity, not the negative ones, not the norm.",
)
def test_loss_gradient(solution, rng):
    query, key, queue = batch(rng, 3, 4, 4)
    (query,) = asking(query)
    gradient = solution.moco_loss.run(query, key, queue, temperature=0.3, backward=True).gradient(query)
    ensure(gradient is not None, "No gradient reached query: its .grad is None after loss.backward().")
    expected = torch.tensor(loss_gradient(rows(query), rows(key), rows(queue), 0.3), dtype=torch.float64)
    close(gradient, expected, what="gradient of query", atol=1e-7, rtol=1e-7)


@check(
    "The gradient goes through the normalization",
    section="loss",
    sentence="gradient-normalization",
    hint="The loss does not change along a row, so the gradient has no part in that direction; and for a row ten times as long it "
    "is a tenth. That is what differentiating the norm does. Do not detach the norm, and normalize with gradients on.",
)
def test_loss_gradient_normalization(solution, rng):
    query, key, queue = batch(rng, 3, 5, 4)
    gradients = []
    for scale in (1.0, 10.0):
        (scaled,) = asking(query * scale)
        gradient = solution.moco_loss.run(scaled, key, queue, temperature=0.5, backward=True).gradient(scaled)
        ensure(gradient is not None, "No gradient reached query: its .grad is None after loss.backward().")
        gradients.append(gradient)
    along = (gradients[0] * query).sum(dim=1)
    close(along, torch.zeros_like(along), what="gradient of query along its own rows", atol=1e-8)
    close(gradients[1] * 10, gradients[0], what="ten times the gradient for query times ten", atol=1e-8)


@check(
    "The gradient at a small temperature",
    section="loss",
    sentence="stable-temperature",
    hint="At `T = 0.001` the negative wins by far, and the gradient is the difference of two unit rows over `T`: large, but finite. "
    "A clamp on the similarities makes it zero, an overflow makes it NaN.",
)
def test_loss_gradient_small_temperature(solution):
    (query,) = asking(matrix([1, 0.25]))
    key, queue = matrix([-0.5, 1]), matrix([1, 0], [-1, 0.5])
    gradient = solution.moco_loss.run(query, key, queue, temperature=1e-3, backward=True).gradient(query)
    ensure(gradient is not None, "No gradient reached query: its .grad is None after loss.backward().")
    expected = torch.tensor(loss_gradient(rows(query), rows(key), rows(queue), 1e-3, step=1e-4), dtype=torch.float64)
    close(gradient, expected, what="gradient of query", atol=1e-5, rtol=1e-6)


@check(
    "A zero query gets a finite gradient",
    section="loss",
    sentence="zero-row",
    required=False,
    hint="A zero row is divided by the constant `1e-12`, so its gradient is finite, if very large. The derivative of a square root at zero is "
    "infinite: take the bound before the root, or use a norm that knows about zero.",
)
def test_loss_gradient_zero_row(solution):
    (query,) = asking(matrix([0, 0], [1, 1]))
    run = solution.moco_loss.run(query, matrix([1, 0], [0, 1]), matrix([0, 1], [1, 0]), temperature=0.5, backward=True)
    gradient = run.gradient(query)
    ensure(gradient is not None, "No gradient reached query: its .grad is None after loss.backward().")
    ensure(bool(gradient.isfinite().all()), f"The gradient of query is not finite: {gradient.tolist()}.")


@check(
    "No gradient reaches the key",
    section="loss",
    sentence="key-detached",
    hint="The key encoder learns by its moving average alone. Detach `key` inside the loss. And do it on a tensor of your own: the "
    "caller's tensor goes on requiring grad.",
)
def test_loss_key_detached(solution, rng):
    query, key, queue = asking(*batch(rng, 3, 4, 3))
    run = solution.moco_loss.run(query, key, queue.detach(), temperature=0.5, backward=True)
    gradient = run.gradient(key)
    ensure(gradient is None, f"The .grad of key is {_values(gradient)} after loss.backward(); it must stay None.")
    alone = solution.moco_loss.run(query.detach(), key, queue.detach(), temperature=0.5)
    ensure(not alone.outputs[0].requires_grad, "Only key requires grad, but the loss requires grad too; it must not.")


@check(
    "No gradient reaches the queue",
    section="loss",
    sentence="queue-detached",
    hint="The queue holds results of the past; there is no graph that could be followed back. Detach it inside the loss, so that this is true "
    "even of a queue that requires grad.",
)
def test_loss_queue_detached(solution, rng):
    query, key, queue = asking(*batch(rng, 3, 4, 3))
    run = solution.moco_loss.run(query, key.detach(), queue, temperature=0.5, backward=True)
    gradient = run.gradient(queue)
    ensure(gradient is None, f"The .grad of queue is {_values(gradient)} after loss.backward(); it must stay None.")
    alone = solution.moco_loss.run(query.detach(), key.detach(), queue, temperature=0.5)
    ensure(not alone.outputs[0].requires_grad, "Only queue requires grad, but the loss requires grad too; it must not.")


@check(
    "Two calls agree, whatever comes between",
    section="loss",
    sentence="loss-stateless",
    hint="The same arguments give the same loss and the same gradient. Look for a global that a call changes: a cached queue, a counter, "
    "a default dtype, gradients switched off for good.",
)
def test_loss_repeatable(solution, rng):
    query, key, queue = batch(rng, 3, 4, 3)
    (query,) = asking(query)
    first = solution.moco_loss.run(query, key, queue, temperature=0.5, backward=True)
    solution.moco_loss(*batch(rng, 2, 5, 4, torch.float32), temperature=0.1)
    solution.momentum_update(queue, queue + 1, momentum=0.5)
    solution.enqueue(queue, key, 1)
    second = solution.moco_loss.run(query, key, queue, temperature=0.5, backward=True)
    close(first.value, expected_loss(query, key, queue, 0.5), what="loss", where="first call")
    close(second.value, first.value, what="loss", where="second call")
    for run, where in ((first, "first"), (second, "second")):
        ensure(run.gradient(query) is not None, f"No gradient reached query in the {where} call.")
    close(second.gradient(query), first.gradient(query), what="gradient of query", where="second call")


def _values(gradient):
    return None if gradient is None else [[round(value, 6) for value in row] for row in gradient.tolist()]
