"""What happens to the numbers, the graph and the memory of a dictionary, and what is refused."""

import math

import torch

from inputs import asking, draw, matrix
from oracle import ring, rows
from sandbox.checks import check, close, ensure, equal

SIZES = (
    (2, "two keys for four places"),
    (4, "four keys for four places"),
    (6, "six keys for four places"),
    (0, "no keys"),
)


@check(
    "Incoming keys are normalized",
    section="queue",
    sentence="enqueue-normalized",
    hint="The keys arrive as the encoder made them. Divide each row by its L2 norm before it is stored, whatever its length is.",
)
def test_enqueue_normalizes(solution):
    queue, keys = matrix([1, 0], [1, 0], [1, 0]), matrix([0.003, 0.004], [-300, 400], [5e14, 1.2e15])
    dictionary, _ = solution.enqueue(queue, keys, 0)
    close(dictionary, matrix([0.6, 0.8], [-0.6, 0.8], [5 / 13, 12 / 13]), what="dictionary")


@check(
    "Zero keys and tiny keys",
    section="queue",
    sentence="enqueue-normalized",
    hint="The divisor is the larger of the norm and `1e-12`, exactly as in the loss: a zero row stays zero, and one NaN in the "
    "dictionary would spoil every loss until it expires.",
)
def test_enqueue_zero_keys(solution):
    for dtype in (torch.float64, torch.float32):
        queue, keys = torch.ones(3, 2, dtype=dtype), matrix([0, 0], [3e-13, 4e-13], [3e-10, 4e-10], dtype=dtype)
        dictionary, _ = solution.enqueue(queue, keys, 0)
        where = str(dtype).removeprefix("torch.")
        close(dictionary, matrix([0, 0], [0.3, 0.4], [0.6, 0.8], dtype=dtype), what="dictionary", where=where)


@check(
    "dtype is kept, and strided views are taken",
    section="queue",
    sentence="enqueue-dtype",
    hint="float32 in, float32 out; float64 in, float64 out, with all its digits. The tensors here are a transposed matrix and a slice with a step, "
    "so do not use `.view`.",
)
def test_enqueue_dtype(solution, rng):
    for dtype in (torch.float32, torch.float64):
        queue, keys = draw(rng, 3, 4, dtype=dtype).t(), draw(rng, 6, 6, dtype=dtype)[::2, ::2]
        expected = torch.tensor(ring(rows(queue), rows(keys), 3)[0], dtype=dtype)
        dictionary, _ = solution.enqueue(queue, keys, 3)
        close(dictionary, expected, what="dictionary", where=str(dtype).removeprefix("torch."))


@check(
    "The dictionary is detached",
    section="queue",
    sentence="enqueue-detached",
    hint="Keys come out of an encoder with a graph behind them. A dictionary that keeps the graph keeps the activations of all "
    "its steps. Detach keys and queue, also if the batch is empty.",
)
def test_enqueue_detached(solution, rng):
    for size, kind in SIZES:
        queue, keys = draw(rng, 4, 3), draw(rng, size, 3)
        for arguments, asks in (((*asking(queue), keys), "queue requires"), ((queue, *asking(keys)), "keys require")):
            (output,) = solution.enqueue.run(*arguments, 1).outputs
            ensure(
                not (output.requires_grad or output.has_grad_fn),
                f"{kind}: {asks} grad, and so does the dictionary; it must be detached.",
            )


@check(
    "The dictionary has storage of its own",
    section="queue",
    sentence="enqueue-storage",
    hint="Writing into the result must not reach the caller's queue or keys, and the other way round. `detach()` and slices share memory, and so does the queue "
    "itself when there is nothing to write: clone.",
)
def test_enqueue_own_storage(solution, rng):
    for size, kind in SIZES:
        # Unit rows: normalizing changes nothing, so there is nothing but a copy to keep the memory apart.
        queue, keys = draw(rng, 4, 3), torch.eye(3, dtype=torch.float64).repeat(2, 1)[:size]
        run = solution.enqueue.run(queue, keys, 0)
        for tensor, name in ((queue, "queue"), (keys, "keys")):
            ensure(not run.shares_storage(tensor), f"{kind}: the dictionary shares memory with {name}.")


@check(
    "Both tensors stay as they were",
    section="queue",
    sentence="enqueue-unchanged",
    hint="Assigning into `queue`, `copy_` and an in-place division write into the caller's tensor. Clone the queue first, and write into the clone.",
)
def test_enqueue_unchanged(solution, rng):
    for size, kind in SIZES:
        tensors = [draw(rng, 4, 3), draw(rng, size, 3)]
        for given in (tensors, asking(*tensors)) if size == 2 else (tensors,):
            run = solution.enqueue.run(*given, 1)
            for tensor, name in zip(given, ("queue", "keys"), strict=True):
                ensure(not run.changed(tensor), f"{kind}: {name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Two calls agree",
    section="queue",
    sentence="enqueue-stateless",
    hint="The pointer is an argument and a result, never a global. Two calls with equal arguments write to the same places.",
)
def test_enqueue_repeatable(solution, rng):
    queue, keys = draw(rng, 4, 3), draw(rng, 3, 3)
    first, pointer = solution.enqueue(queue, keys, 2)
    solution.enqueue(draw(rng, 3, 2), draw(rng, 2, 2), 0)
    second, again = solution.enqueue(queue, keys, 2)
    close(second, first, what="dictionary", where="second call")
    equal(again, pointer, what="pointer", where="second call")


@check(
    "Refuses a pointer that is no place",
    section="queue",
    sentence="pointer",
    hint="`-1` and `True` are valid indices in Python, and `K` works once a modulo is applied. None of them names a place of the dictionary: "
    "the supplied `validate_pointer` refuses them.",
)
def test_enqueue_refuses_pointer(solution, rng):
    queue, keys = draw(rng, 3, 2), draw(rng, 1, 2)
    for pointer in (-1, 3, True, 1.0, torch.tensor(1)):
        solution.enqueue.refuses(queue, keys, pointer)


@check(
    "Refuses tensors that do not fit",
    section="queue",
    sentence="enqueue-pair",
    hint="Two matrices with the same number of columns, the same floating dtype and only finite numbers. Assignment would broadcast a "
    "single column and convert a dtype without a word.",
)
def test_enqueue_refuses_tensors(solution, rng):
    queue, keys = draw(rng, 3, 2), draw(rng, 2, 2)
    for arguments in (
        (queue, keys[:, :1]),
        (queue, keys[0]),
        (queue[:0], keys),
        (queue[:, :0], keys[:, :0]),
        (torch.stack((queue, queue), dim=2), keys),
        (queue, keys.float()),
        (queue.long(), keys.long()),
        (queue, keys * math.nan),
        (queue * math.inf, keys),
        (queue, keys.tolist()),
    ):
        solution.enqueue.refuses(*arguments, 0)
