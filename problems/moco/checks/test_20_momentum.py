"""The momentum update of one pair of parameters."""

import math

import torch

from inputs import asking, draw, matrix
from oracle import blend, rows
from sandbox.checks import check, close, ensure

COEFFICIENTS = (0.5, 0, 1)
"""An ordinary coefficient, and the two at which it is tempting to return an argument as it is."""


@check(
    "Hand value",
    section="momentum",
    sentence="update-rule",
    hint="`m` weighs what the key was, and `1 - m` weighs the query. With `m = 0.75` the key moves a quarter of the way towards the query. "
    "Libraries disagree about which of the two is called momentum.",
)
def test_momentum_hand_value(solution):
    query, key = matrix([4, 0, -2]), matrix([0, 8, 2])
    close(solution.momentum_update(query, key, momentum=0.75), matrix([1, 6, 1]), what="key")


@check(
    "Every coefficient between 0 and 1",
    section="momentum",
    sentence="update-rule",
    hint="Both terms have their weight, and the weights add up to 1. Use the argument as it is: no constant, no clamp, "
    "and one update only, not two.",
)
def test_momentum_coefficients(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    for momentum in (0.001, 0.3, 0.9999):
        expected = torch.tensor(blend(rows(query), rows(key), momentum), dtype=torch.float64)
        close(
            solution.momentum_update(query, key, momentum=momentum), expected, what="key", where=f"momentum {momentum}"
        )


@check(
    "The default momentum is 0.999",
    section="momentum",
    sentence="coefficient-default",
    hint="Look at the default value in the signature. With 0.999 a key keeps 999 parts of what it was and takes 1 part of the query.",
)
def test_momentum_default(solution):
    updated = solution.momentum_update(matrix([0, 1000]), matrix([1000, 0]))
    close(updated, matrix([999, 1]), what="key", where="momentum not given")


@check(
    "m = 0 copies the query",
    section="momentum",
    sentence="update-zero",
    hint="Zero is a legal coefficient, as `0` and as `0.0`. Beware of `momentum or 0.999`: zero counts as false.",
)
def test_momentum_zero(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    for momentum in (0, 0.0):
        close(
            solution.momentum_update(query, key, momentum=momentum), query, what="key", where=f"momentum {momentum!r}"
        )


@check(
    "m = 1 freezes the key",
    section="momentum",
    sentence="update-one",
    hint="One is a legal coefficient here, as `1` and as `1.0`: the key stays as it was, and the result is a copy of it.",
)
def test_momentum_one(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    for momentum in (1, 1.0):
        close(solution.momentum_update(query, key, momentum=momentum), key, what="key", where=f"momentum {momentum!r}")


@check(
    "Any shape",
    section="momentum",
    sentence="update-shapes",
    hint="Biases are vectors, convolutions have four dimensions, a learned temperature has none. The update works entry by entry, so it needs "
    "no index and no loop over rows.",
)
def test_momentum_shapes(solution, rng):
    for shape in ((), (4,), (2, 3, 2), (2, 1, 3, 2)):
        query, key = draw(rng, *shape), draw(rng, *shape)
        flat = blend([query.reshape(-1).tolist()], [key.reshape(-1).tolist()], 0.25)
        expected = torch.tensor(flat, dtype=torch.float64).reshape(shape)
        close(solution.momentum_update(query, key, momentum=0.25), expected, what="key", where=f"shape {list(shape)}")


@check(
    "Empty tensors",
    section="momentum",
    sentence="update-shapes",
    hint="A tensor without entries is legal and gives a tensor without entries, of the same shape. `min`, `max` and "
    "indexing fail on it; arithmetic does not.",
)
def test_momentum_empty(solution):
    for shape in ((0,), (3, 0)):
        empty = torch.zeros(shape, dtype=torch.float64)
        close(solution.momentum_update(empty, empty.clone(), momentum=0.5), empty, what="key")


@check(
    "dtype is kept, and so is its precision",
    section="momentum",
    sentence="update-pair",
    hint="float32 in, float32 out; float64 in, float64 out, with all its digits. `torch.tensor(momentum)` is float32 unless you "
    "say otherwise; a plain Python number takes the dtype of the tensor.",
)
def test_momentum_dtype(solution, rng):
    for dtype in (torch.float32, torch.float64):
        query, key = draw(rng, 2, 3, dtype=dtype), draw(rng, 2, 3, dtype=dtype)
        expected = torch.tensor(blend(rows(query), rows(key), 0.9), dtype=dtype)
        where = str(dtype).removeprefix("torch.")
        close(solution.momentum_update(query, key, momentum=0.9), expected, what="key", where=where)


@check(
    "Strided parameters",
    section="momentum",
    sentence="update-shapes",
    hint="One parameter is transposed in memory, the other a slice with a step. Whatever works entry by entry takes them as "
    "they are; `.view` and flat buffers do not.",
)
def test_momentum_strided(solution, rng):
    query, key = draw(rng, 3, 2), draw(rng, 2, 6)
    query, key = query.t(), key[:, ::2]
    expected = torch.tensor(blend(rows(query), rows(key), 0.6), dtype=torch.float64)
    close(solution.momentum_update(query, key, momentum=0.6), expected, what="key")


@check(
    "The result is detached",
    section="momentum",
    sentence="update-detached",
    hint="A key encoder is not trained, so its next value must not hang on to a graph: the graphs of all steps would pile up. Detach both "
    "inputs or compute without gradients, and return a plain tensor.",
)
def test_momentum_detached(solution, rng):
    pairs = [(draw(rng, 2, 3), draw(rng, 2, 3), momentum) for momentum in COEFFICIENTS]
    pairs.append((draw(rng, 0), draw(rng, 0), 0.5))
    for query, key, momentum in pairs:
        parameters = torch.nn.Parameter(query), torch.nn.Parameter(key)
        (output,) = solution.momentum_update.run(*parameters, momentum=momentum).outputs
        ensure(
            not (output.requires_grad or output.has_grad_fn),
            f"momentum {momentum}, shape {list(query.shape)}: the inputs require grad, and so does the result; it must be detached.",
        )


@check(
    "The result has storage of its own",
    section="momentum",
    sentence="update-storage",
    hint="At `m = 0` it is tempting to return the query, at `m = 1` the key, and `detach()` gives another name for the same memory. A "
    "later step of the optimizer would then move the key encoder too. Return a tensor that was newly made.",
)
def test_momentum_own_storage(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    for momentum in COEFFICIENTS:
        run = solution.momentum_update.run(query, key, momentum=momentum)
        for tensor, name in ((query, "query"), (key, "key")):
            ensure(not run.shares_storage(tensor), f"momentum {momentum}: the result shares memory with {name}.")


@check(
    "No argument is changed",
    section="momentum",
    sentence="update-unchanged",
    hint="`mul_`, `add_`, `lerp_`, `copy_` and `.data` write into the caller's parameter. The paper's code does that on purpose; "
    "this function returns a new tensor instead.",
)
def test_momentum_unchanged(solution, rng):
    plain = (draw(rng, 2, 3), draw(rng, 2, 3))
    for tensors, kind, momentum in (
        (plain, "plain tensors", 0.5),
        (asking(*plain), "tensors that require grad", 0.5),
        (plain, "plain tensors", 0),
        (plain, "plain tensors", 1),
    ):
        run = solution.momentum_update.run(*tensors, momentum=momentum)
        for tensor, name in zip(tensors, ("query", "key"), strict=True):
            ensure(
                not run.changed(tensor),
                f"{kind}, momentum {momentum}: {name} was changed by the call: {run.changes(tensor)}.",
            )


@check(
    "Two calls agree",
    section="momentum",
    sentence="update-stateless",
    hint="The function knows its three arguments and nothing else: no step counter, no warm-up of `m`, no average kept from the last call.",
)
def test_momentum_repeatable(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    first = solution.momentum_update(query, key, momentum=0.9)
    solution.momentum_update(draw(rng, 4), draw(rng, 4), momentum=0.1)
    close(solution.momentum_update(query, key, momentum=0.9), first, what="key", where="second call")


@check(
    "Refuses a coefficient that is no number in [0, 1]",
    section="momentum",
    sentence="coefficient",
    hint="`True` is an `int` in Python, NaN is neither below 0 nor above 1, and a tensor compares like a number. The supplied "
    "`validate_coefficient` refuses all of them; do not clamp instead.",
)
def test_momentum_refuses_coefficient(solution, rng):
    query, key = draw(rng, 2, 2), draw(rng, 2, 2)
    for momentum in (True, torch.tensor(0.5, dtype=torch.float64), "0.5", -0.1, 1.1, math.nan):
        solution.momentum_update.refuses(query, key, momentum=momentum)


@check(
    "Refuses parameters that are no pair",
    section="momentum",
    sentence="update-pair",
    hint="Broadcasting would blend a vector into a matrix without a word, and promotion would hide a mixture of dtypes. Two different shapes or "
    "dtypes mean that parameters were paired wrongly: refuse them.",
)
def test_momentum_refuses_parameters(solution, rng):
    query, key = draw(rng, 2, 3), draw(rng, 2, 3)
    for arguments in (
        (query, key[:1]),
        (query, key.t()),
        (query, key.float()),
        (query.half(), key.half()),
        (query, key * math.nan),
        (query * math.inf, key),
        (query.tolist(), key),
    ):
        solution.momentum_update.refuses(*arguments, momentum=0.5)
