"""The share of anchors that find their partner. All inputs have exact or clearly different similarities."""

import math

import torch

from inputs import asking, matrix, named, views
from sandbox.checks import check, close, ensure

EYE = torch.eye(2, dtype=torch.float64)


@check(
    "All found, and none",
    section="accuracy",
    sentence="share",
    hint="If both views of each sample are equal and the samples are not, every anchor finds its partner: 1.0, not 100. If the second views are exchanged, none "
    "does. And the anchor itself, with its similarity of 1, is no candidate.",
)
def test_accuracy_extremes(solution):
    close(solution.contrastive_accuracy(EYE, EYE), 1.0, what="accuracy", where="equal views")
    close(solution.contrastive_accuracy(EYE, EYE.flip(0)), 0.0, what="accuracy", where="exchanged views")


@check(
    "All 2N anchors count",
    section="accuracy",
    sentence="share",
    hint="One of the four anchors is wrong here, and it is the first of `z_j`: its partner has the similarity 0.6, the other sample 0.8. Ask both views, and divide by "
    "`2N`.",
)
def test_accuracy_both_views(solution):
    close(solution.contrastive_accuracy(EYE, matrix([0.6, 0.8], [0, 1])), 0.75, what="accuracy")


@check(
    "Candidates come from both views",
    section="accuracy",
    sentence="share",
    hint="The first views of the two samples are more similar to each other (0.8) than to their partners (0.6), so their anchors fail. A matrix `[N, N]` of one "
    "view against the other does not see that.",
)
def test_accuracy_same_view(solution):
    first, second = matrix([1, 0, 0], [0.8, 0.6, 0]), matrix([0.6, 0, 0.8], [0, 1, 0])
    close(solution.contrastive_accuracy(first, second), 0.5, what="accuracy")


@check(
    "A tie is not a success",
    section="accuracy",
    sentence="ties",
    hint="An encoder that sends everything to one point has found nothing, and its accuracy is 0. `argmax` returns one of the equal places and calls that a hit; compare the positive "
    "with the best negative, and ask for *more*.",
)
def test_accuracy_ties(solution):
    same = matrix([0, 1], [0, 1], [0, 1])
    close(solution.contrastive_accuracy(same, same), 0.0, what="accuracy", where="all rows equal")
    close(solution.contrastive_accuracy(EYE, matrix([1, 0], [1, 0])), 0.0, what="accuracy", where="second views equal")


@check(
    "One pair alone",
    section="accuracy",
    sentence="accuracy-one-pair",
    hint="With `N = 1` there is no negative, so nothing is more similar than the positive, even if the two views are opposites: 1.0.",
)
def test_accuracy_one_pair(solution):
    for second, where in ((matrix([1, 0]), "equal views"), (matrix([-1, 0]), "opposite views")):
        close(solution.contrastive_accuracy(matrix([1, 0]), second), 1.0, what="accuracy", where=where)


@check(
    "Similarities are cosines here too",
    section="accuracy",
    sentence="accuracy-cosine",
    hint="A long row has a large dot product with everything that is not orthogonal to it. Here the second sample is a thousand times as long, in float32 as in float64; its "
    "direction is what counts. Negative similarities count as they are.",
)
def test_accuracy_scale(solution):
    for dtype in (torch.float64, torch.float32):
        first, second = matrix([1, 0], [600, 800], dtype=dtype), matrix([0.96, -0.28], [0, 1000], dtype=dtype)
        close(solution.contrastive_accuracy(first, second), 1.0, what="accuracy", where=f"long rows, {named(dtype)}")
    # The first sample has its positive at -0.28, and its best negative at -0.352.
    first, second = matrix([1, 0], [-0.8, -0.6]), matrix([-0.28, 0.96], [-0.6, -0.8])
    close(solution.contrastive_accuracy(first, second), 1.0, what="accuracy", where="negative similarities")


@check(
    "No argument is changed, and gradients may be asked for",
    section="accuracy",
    sentence="accuracy-unchanged",
    hint="The result is a plain Python float, with no graph behind it: `.item()`. The arguments may come straight out of an encoder.",
)
def test_accuracy_unchanged(solution, rng):
    tensors = asking(*views(rng, 3, 3))
    run = solution.contrastive_accuracy.run(*tensors)
    for tensor, name in zip(tensors, ("z_i", "z_j"), strict=True):
        ensure(not run.changed(tensor), f"{name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Refuses views that do not fit",
    section="accuracy",
    sentence="accuracy-views",
    hint="The contract of the views is the same in all three functions: call `validate_views`. NaN compares false with everything, so it would pass for a low accuracy.",
)
def test_accuracy_refuses_views(solution, rng):
    first, second = views(rng, 2, 3)
    for arguments in ((first, second[:1]), (first[0], second[0]), (first, second.float()), (first, second * math.nan)):
        solution.contrastive_accuracy.refuses(*arguments)
