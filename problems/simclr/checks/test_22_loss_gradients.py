"""Where gradients of the loss go, and what they are."""

import torch

from inputs import asking, expected_loss, matrix, views
from oracle import loss_gradients, rows
from sandbox.checks import check, close, ensure

NAMES = ("z_i", "z_j")


def gradients_of(run, tensors):
    """The gradients of both views; fails the check if one is missing."""
    gradients = [run.gradient(tensor) for tensor in tensors]
    for gradient, name in zip(gradients, NAMES, strict=True):
        ensure(gradient is not None, f"No gradient reached {name}: its .grad is None after loss.backward().")
    return gradients


@check(
    "The gradients of both views agree with finite differences",
    section="loss",
    sentence="gradients",
    hint="The judge moves each entry of both views a little and looks at the loss. Nothing may be detached: not the candidates, not one of the views, not the "
    "norm. In MoCo the keys are detached, in SimCLR nothing is.",
)
def test_loss_gradients(solution, rng):
    tensors = asking(*views(rng, 3, 3))
    run = solution.nt_xent_loss.run(*tensors, temperature=0.5, backward=True)
    expected = loss_gradients(*map(rows, tensors), 0.5)
    for gradient, name, wanted in zip(gradients_of(run, tensors), NAMES, expected, strict=True):
        wanted = torch.tensor(wanted, dtype=torch.float64)
        close(gradient, wanted, what=f"gradient of {name}", atol=1e-7, rtol=1e-7)


@check(
    "Each view gets its gradient alone",
    section="loss",
    sentence="gradients",
    hint="Only one of the two views asks for a gradient here. It must get the same one as if both did: as an anchor, as a positive and as a negative of others.",
)
def test_loss_gradient_alone(solution, rng):
    plain = views(rng, 3, 3)
    both = asking(*plain)
    expected = gradients_of(solution.nt_xent_loss.run(*both, temperature=0.5, backward=True), both)
    for place, name in enumerate(NAMES):
        tensors = [*plain]
        (tensors[place],) = asking(plain[place])
        gradient = solution.nt_xent_loss.run(*tensors, temperature=0.5, backward=True).gradient(tensors[place])
        ensure(gradient is not None, f"Only {name} requires grad, but its .grad is None after loss.backward().")
        close(gradient, expected[place], what=f"gradient of {name} alone")


@check(
    "The gradient goes through the normalization",
    section="loss",
    sentence="gradient-normalization",
    hint="The loss does not change along a row, so the gradient has no part in that direction; and for a row ten times as long it is a tenth. That is what "
    "differentiating the norm does. Do not detach the norm, and normalize with gradients on.",
)
def test_loss_gradient_normalization(solution, rng):
    first, second = views(rng, 3, 4)
    gradients = []
    for scale in (1.0, 10.0):
        tensors = asking(first * scale, second * scale)
        gradients.append(gradients_of(solution.nt_xent_loss.run(*tensors, temperature=0.5, backward=True), tensors))
    for place, (name, tensor) in enumerate(zip(NAMES, (first, second), strict=True)):
        along = (gradients[0][place] * tensor).sum(dim=1)
        close(along, torch.zeros_like(along), what=f"gradient of {name} along its own rows", atol=1e-8)
        close(
            gradients[1][place] * 10, gradients[0][place], what=f"ten times the gradient of {name} times ten", atol=1e-8
        )


@check(
    "The gradient at a small temperature",
    section="loss",
    sentence="stable-temperature",
    hint="At `T = 0.001` one negative wins by far, and the gradient is a difference of unit rows over `T`: large, but finite. A clamp on the logits makes it "
    "zero, an overflow makes it NaN, and so does a mask of $-\\infty$ that is multiplied.",
)
def test_loss_gradient_small_temperature(solution):
    tensors = asking(matrix([1, 0.25], [-1, 0.5]), matrix([-0.5, 1], [1, 2]))
    run = solution.nt_xent_loss.run(*tensors, temperature=1e-3, backward=True)
    expected = loss_gradients(*map(rows, tensors), 1e-3, step=1e-4)
    for gradient, name, wanted in zip(gradients_of(run, tensors), NAMES, expected, strict=True):
        close(gradient, torch.tensor(wanted, dtype=torch.float64), what=f"gradient of {name}", atol=1e-5, rtol=1e-6)


@check(
    "Two calls agree, whatever comes between",
    section="loss",
    sentence="stateless",
    hint="The same arguments give the same loss and the same gradients. Look for a global that a call changes: a mask that was kept for another batch size, a counter, "
    "a default dtype, gradients switched off for good.",
)
def test_loss_repeatable(solution, rng):
    tensors = asking(*views(rng, 3, 3))
    first = solution.nt_xent_loss.run(*tensors, temperature=0.5, backward=True)
    for size in (2, 5):
        solution.nt_xent_loss(*views(rng, size, 4, torch.float32), temperature=0.1)
        solution.contrastive_accuracy(*views(rng, size, 4))
    second = solution.nt_xent_loss.run(*tensors, temperature=0.5, backward=True)
    close(first.value, expected_loss(*tensors, 0.5), what="loss", where="first call")
    close(second.value, first.value, what="loss", where="second call")
    for name, one, other in zip(NAMES, gradients_of(first, tensors), gradients_of(second, tensors), strict=True):
        close(other, one, what=f"gradient of {name}", where="second call")
