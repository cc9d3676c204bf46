"""The matrix of cosine similarities: its order, its numbers and its gradients."""

import math

import torch

from inputs import asking, matrix, named, views
from oracle import dot, rows, similarities, slopes, unit
from sandbox.checks import check, close, ensure


@check(
    "Hand values",
    section="similarities",
    sentence="cosine",
    hint="The row `[3, 4]` has the norm 5, the row `[-5, 12]` has the norm 13. Their dot product is 33, and $33 / (5 \\cdot 13) = 0.508$. A row has the similarity 1 "
    "to itself.",
)
def test_similarity_hand_values(solution):
    got = solution.similarity_matrix(matrix([3, 4]), matrix([-5, 12]))
    close(got, matrix([1, 33 / 65], [33 / 65, 1]), what="similarities")


@check(
    "First all of z_i, then all of z_j",
    section="similarities",
    sentence="stacked",
    hint="Concatenate the two matrices along their rows. The paper numbers the two views of a sample one after the other; here the partner of row "
    "`k` is row `k + N`. Both orders are common, and a mixture of them pairs strangers.",
)
def test_similarity_order(solution):
    got = solution.similarity_matrix(matrix([1, 0, 0], [0, 1, 0]), matrix([0.6, 0, 0.8], [0, 0.8, 0.6]))
    expected = matrix([1, 0, 0.6, 0], [0, 1, 0, 0.8], [0.6, 0, 1, 0.48], [0, 0.8, 0.48, 1])
    close(got, expected, what="similarities")


@check(
    "Rows of any length, in any number",
    section="similarities",
    sentence="views",
    hint="Five samples with three columns give a matrix `[10, 10]`; one sample with one column gives `[2, 2]`. Normalize each row by its own norm, over the last "
    "dimension.",
)
def test_similarity_sizes(solution, rng):
    for size, width in ((5, 3), (1, 1)):
        first, second = views(rng, size, width)
        first, second = first * 1000, second * 0.001
        got = solution.similarity_matrix(first, second)
        expected = torch.tensor(similarities(rows(first), rows(second)), dtype=torch.float64)
        close(got, expected, what="similarities", where=f"N = {size}, D = {width}")


@check(
    "A row of zeros, and tiny rows",
    section="similarities",
    sentence="row-norm",
    hint="The divisor is the *larger* of the norm and `1e-12`. Zero divided by zero is NaN, and another bound such as `1e-8` gives other values for rows "
    "that are nearly zero.",
)
def test_similarity_tiny_rows(solution):
    for dtype in (torch.float64, torch.float32):
        first = matrix([0, 0], [3e-13, 4e-13], [3e-10, 4e-10], dtype=dtype)
        second = matrix([1, 0], [0, 5], [1e-9, 0], dtype=dtype)
        expected = torch.tensor(similarities(rows(first), rows(second)), dtype=dtype)
        close(solution.similarity_matrix(first, second), expected, what="similarities", where=named(dtype))


@check(
    "A row of zeros has the similarity zero, to itself too",
    section="similarities",
    sentence="zero-row",
    hint="Zero is similar to nothing. Do not write ones into the diagonal, and do not add a small number under the root: compute the diagonal like "
    "every other entry.",
)
def test_similarity_zero_row(solution):
    got = solution.similarity_matrix(matrix([0, 0]), matrix([0, 2]))
    close(got, matrix([0, 0], [0, 1]), what="similarities")


@check(
    "dtype is kept, and strided views are taken",
    section="similarities",
    sentence="keeps-dtype",
    hint="float32 in, float32 out; float64 in, float64 out, with all its digits. One argument here is a transposed matrix, the other a slice with a step: "
    "`.view` refuses them, `.reshape` and operations that name a dimension do not.",
)
def test_similarity_dtype(solution, rng):
    for dtype in (torch.float64, torch.float32):
        first, second = views(rng, 3, 4, dtype)
        wide = torch.zeros(3, 8, dtype=dtype)
        wide[:, ::2] = second
        expected = torch.tensor(similarities(rows(first), rows(second)), dtype=dtype)
        got = solution.similarity_matrix(first.t().contiguous().t(), wide[:, ::2])
        close(got, expected, what="similarities", where=named(dtype), atol=16 * torch.finfo(dtype).eps)


@check(
    "Gradients reach both views",
    section="similarities",
    sentence="similarity-gradients",
    hint="The judge moves each entry of both views a little and looks at the matrix. Nothing is detached, and the norm is differentiated too.",
)
def test_similarity_gradients(solution, rng):
    first, second = asking(*views(rng, 2, 3))
    cotangent = torch.randn(4, 4, generator=rng, dtype=torch.float64)
    weights = rows(cotangent)
    run = solution.similarity_matrix.run(first, second, backward=cotangent)

    def weighted(left, right):
        units = [unit(row) for row in (*left, *right)]
        return math.fsum(
            weights[i][j] * dot(one, other) for i, one in enumerate(units) for j, other in enumerate(units)
        )

    left, right = rows(first), rows(second)
    for tensor, name, expected in (
        (first, "z_i", slopes(lambda moved: weighted(moved, right), left, 2e-4)),
        (second, "z_j", slopes(lambda moved: weighted(left, moved), right, 2e-4)),
    ):
        gradient = run.gradient(tensor)
        ensure(gradient is not None, f"No gradient reached {name}: its .grad is None after backward.")
        expected = torch.tensor(expected, dtype=torch.float64)
        close(gradient, expected, what=f"gradient of {name}", atol=1e-7, rtol=1e-7)


@check(
    "No argument is changed",
    section="similarities",
    sentence="unchanged",
    hint="Operations whose names end in `_`, `out=`, `/=` and writing into a slice change the caller's tensor. Work on new tensors.",
)
def test_similarity_unchanged(solution, rng):
    first, second = views(rng, 3, 3)
    run = solution.similarity_matrix.run(first, second)
    for tensor, name in ((first, "z_i"), (second, "z_j")):
        ensure(not run.changed(tensor), f"{name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Refuses views that do not fit",
    section="similarities",
    sentence="views",
    hint="Two matrices of one shape and one floating dtype, with at least one entry and only finite numbers. The supplied `validate_views` refuses everything else: "
    "call it in each of the three functions.",
)
def test_similarity_refuses_views(solution, rng):
    first, second = views(rng, 2, 3)
    for arguments in (
        (first, second[:1]),
        (first[0], second[0]),
        (first, second.float()),
        (first, second * math.nan),
        (first, second.tolist()),
    ):
        solution.similarity_matrix.refuses(*arguments)
