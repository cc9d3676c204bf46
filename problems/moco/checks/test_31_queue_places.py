"""Which key ends up in which place of the dictionary."""

import torch

from inputs import draw, matrix
from oracle import ring, rows
from sandbox.checks import check, close, ensure, equal


def follow(solution, queue, keys, pointer, where=""):
    """Compare one call with writing row by row. Returns what the call returned."""
    dictionary, place = ring(rows(queue), rows(keys), pointer)
    got, next_pointer = solution.enqueue(queue, keys, pointer)
    close(got, torch.tensor(dictionary, dtype=queue.dtype), what="dictionary", where=where)
    equal(next_pointer, place, what="pointer", where=where)
    return got, next_pointer


@check(
    "A batch in the middle",
    section="queue",
    sentence="sequential",
    hint="The first key goes to row `pointer`, the next to the row after it. The other rows stay where they are: this is a ring that is "
    "overwritten, not a list from which the front is cut off.",
)
def test_enqueue_middle(solution):
    queue = matrix([1, 0], [0, 1], [-1, 0], [0, -1], [0.6, 0.8])
    dictionary, pointer = solution.enqueue(queue, matrix([3, 4], [-4, 3]), 1)
    close(dictionary, matrix([1, 0], [0.6, 0.8], [-0.8, 0.6], [0, -1], [0.6, 0.8]), what="dictionary")
    equal(pointer, 3, what="pointer")


@check(
    "A batch that goes over the end",
    section="queue",
    sentence="sequential",
    hint="After the last row comes row 0. A slice `[pointer:pointer + B]` stops at the end and loses the rest; the rest belongs at the "
    "beginning, not the whole batch.",
)
def test_enqueue_wraps(solution):
    queue = matrix([1, 0], [0, 1], [-1, 0], [0, -1])
    dictionary, pointer = solution.enqueue(queue, matrix([3, 4], [-4, 3], [5, 12]), 2)
    close(dictionary, matrix([5 / 13, 12 / 13], [0, 1], [0.6, 0.8], [-0.8, 0.6]), what="dictionary")
    equal(pointer, 1, what="pointer")


@check(
    "A batch that ends at the end",
    section="queue",
    sentence="next-pointer",
    hint="The pointer names the row that is written *next*. After the last row that is row 0, so the sum is taken modulo `K`; `K` itself is no row.",
)
def test_enqueue_to_the_end(solution, rng):
    follow(solution, draw(rng, 4, 3), draw(rng, 2, 3), 2)


@check(
    "Batches that do not divide the dictionary",
    section="queue",
    sentence="next-pointer",
    hint="Five places, batches of two: the pointer goes 2, 4, 1, 3, 0. It moves on by the number of keys, and nothing asks that "
    "`K` is a multiple of `B`.",
)
def test_enqueue_chain(solution, rng):
    queue, pointer = draw(rng, 5, 3), 0
    for call in range(1, 6):
        queue, pointer = follow(solution, queue, draw(rng, 2, 3), pointer, where=f"call {call}")


@check(
    "A batch as large as the dictionary",
    section="queue",
    sentence="next-pointer",
    hint="With `B = K` every row is replaced and the pointer comes back to where it was. Row `pointer` still gets the first key.",
)
def test_enqueue_full(solution, rng):
    follow(solution, draw(rng, 4, 3), draw(rng, 4, 3), 3)


@check(
    "An empty batch",
    section="queue",
    sentence="empty-batch",
    hint="`B = 0` is legal: return a copy of the queue, and the same pointer. Slices from the back need care here, because `keys[-0:]` is everything.",
)
def test_enqueue_empty(solution, rng):
    follow(solution, draw(rng, 3, 2), torch.zeros(0, 2, dtype=torch.float64), 2)


@check(
    "A batch larger than the dictionary",
    section="queue",
    sentence="several-wraps",
    hint="Three places, five keys, starting at place 1: key 0 goes to place 1, key 1 to 2, key 2 to 0, and then keys 3 and 4 replace what keys 0 and 1 "
    "left. The *last* `K` keys survive.",
)
def test_enqueue_oversized(solution, rng):
    follow(solution, draw(rng, 3, 4), draw(rng, 5, 4), 1)


@check(
    "A batch that goes around several times",
    section="queue",
    sentence="several-wraps",
    hint="Key `i` is written to place `(pointer + i) % K`, and the latest write to a place is the one that stays. If you skip the keys that "
    "cannot survive, move the starting place on by as many.",
)
def test_enqueue_several_wraps(solution, rng):
    for size, pointer in ((9, 2), (11, 2)):
        follow(solution, draw(rng, 3, 2), draw(rng, size, 2), pointer, where=f"{size} keys for 3 places")


@check(
    "One place, one column",
    section="queue",
    sentence="enqueue-shapes",
    hint="`K = 1` means that each key replaces the one before it and the pointer stays 0. `D = 1` means that each normalized key is 1 or -1.",
)
def test_enqueue_smallest(solution):
    for keys, where in ((matrix([-3]), "one key"), (matrix([5], [2], [-7]), "three keys")):
        dictionary, pointer = solution.enqueue(matrix([1]), keys, 0)
        close(dictionary, matrix([-1]), what="dictionary", where=where)
        equal(pointer, 0, what="pointer", where=where)


@check(
    "All other rows stay as they were",
    section="queue",
    sentence="other-rows",
    hint="Only the incoming keys are normalized. The queue may hold rows of any length; those that are not overwritten come back bit by bit.",
)
def test_enqueue_other_rows(solution, rng):
    queue = draw(rng, 5, 3) * 100
    dictionary, _ = solution.enqueue(queue, draw(rng, 2, 3), 4)
    equal(list(dictionary.shape), [5, 3], what="shape of the dictionary")
    equal(dictionary[1:4], queue[1:4], what="rows 1 to 3")


@check(
    "The same places on several threads",
    section="queue",
    sentence="threads",
    hint="Assignment with an index that holds a place twice, `queue[places] = keys`, does not say which write comes last: one thread happens to get "
    "it right, several do not. Leave out the keys that cannot survive, so that each place is written once.",
)
def test_enqueue_threads(solution):
    # Row i of `keys` has its only entry in column 2 * (255 - i), so a surviving key can be told from its row. With these
    # sizes torch splits an indexed assignment between four threads, and nearly every call shows the wrong order.
    threads, places, size, width, pointer = 4, 80, 256, 512, 7
    line = torch.zeros(2 * size + width)
    line[2 * (size - 1)] = 1.0
    keys, queue = line.as_strided((size, width), (2, 1)), torch.zeros(places, width)
    survivors = {(pointer + key) % places: key for key in range(size)}
    expected = [survivors[place] for place in range(places)]
    for call in range(1, 4):
        where = f"call {call} on {threads} threads"
        dictionary, next_pointer = solution.enqueue.on_threads(threads, queue, keys, pointer)
        equal(list(dictionary.shape), [places, width], what="shape of the dictionary", where=where)
        stored = [size - 1 - column // 2 for column in dictionary.argmax(dim=1).tolist()]
        # Which keys are there instead changes from call to call: said, it would only confuse.
        ensure(stored == expected, f"{where}: a place holds another key than the last one that was written to it.")
        equal(next_pointer, (pointer + size) % places, what="pointer", where=where)
