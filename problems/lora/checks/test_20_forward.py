"""The forward pass: its value, its gradients, and what it takes."""

import math

import torch

from inputs import ALPHA, Parts, draw, held, matrix, named, parameter
from oracle import dot, forward, rows, slopes
from sandbox.checks import check, close, ensure


@check(
    "Hand value",
    section="forward",
    sentence="hand-value",
    hint="$A x = 3$, so $B A x = (3, -6)$. The scale is $\\alpha / r = 2$, and $W x + b = (1, 2) + (10, 20)$. The sum is $(17, 10)$.",
)
def test_forward_hand_value(solution):
    layer = solution.LoRALinear(matrix([1, 0], [0, 1]), torch.tensor([10, 20], dtype=torch.float64), 1, 2)
    layer.assign({"lora_a": matrix([1, 1]), "lora_b": matrix([1], [-2])})
    close(layer(matrix([1, 2])), matrix([17, 10]), what="output")


@check(
    "Both paths are added",
    section="forward",
    sentence="rule",
    hint="The output is the base layer's plus the scaled low-rank path, and the bias is added once. Write the shapes down: `[n, in]`, `[n, rank]`, `[n, out]`.",
)
def test_forward_rule(solution, rng):
    parts, x = Parts(rng), draw(rng, 5, 4)
    expected = forward(*map(rows, (x, parts.weight, parts.bias, parts.lora_a, parts.lora_b)), ALPHA)
    close(parts.layer(solution)(x), expected, what="output")


@check(
    "The scale is alpha over rank",
    section="forward",
    sentence="scale",
    hint="Not alpha, not one over the rank, not over its square root: $\\alpha / r$. When alpha is doubled, the change of the output is doubled; when the rank is doubled, it is halved.",
)
def test_forward_scale(solution, rng):
    # Only the first row of lora_a does anything, so that nothing but the scale depends on the rank.
    weight, row, column, x = draw(rng, 4, 4), draw(rng, 1, 4), draw(rng, 4, 1), draw(rng, 2, 4)
    for rank, alpha in ((1, 1), (1, 8), (4, 8), (2, 0.5)):
        layer = solution.LoRALinear(weight, None, rank, alpha)
        lora_a, lora_b = torch.zeros(rank, 4, dtype=torch.float64), torch.zeros(4, rank, dtype=torch.float64)
        lora_a[:1], lora_b[:, :1] = row, column
        layer.assign({"lora_a": lora_a, "lora_b": lora_b})
        expected = x @ weight.T + alpha / rank * (x @ row.T) @ column.T
        close(layer(x), expected, what="output", where=f"rank {rank}, alpha {alpha}")


@check(
    "Any number of leading dimensions",
    section="forward",
    sentence="leading",
    hint="A transformer passes `[batch, length, in]`, and one vector is `[in]`. `functional.linear` and `@` with `.T` of a matrix work on the last dimension; `x.T` does not.",
)
def test_forward_leading_dimensions(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    for shape in ((4,), (2, 3, 4), (0, 4)):
        x = draw(rng, *shape)
        close(layer(x), parts.output(x), what="output", where=f"x of shape {list(shape)}")


@check(
    "dtype is kept, and strided inputs are taken",
    section="forward",
    sentence="forward-dtype",
    hint="float32 in, float32 out; float64 in, float64 out, with all its digits. The inputs here are a transposed matrix, so do not use `.view`.",
)
def test_forward_dtype(solution, rng):
    for dtype in (torch.float64, torch.float32):
        parts, x = Parts(rng, dtype), draw(rng, 4, 3, dtype=dtype).t()
        close(parts.layer(solution)(x), parts.output(x), what="output", where=named(dtype))


@check(
    "Gradients reach the input through both paths",
    section="forward",
    sentence="gradient-input",
    hint="Frozen means that a weight is not trained. It does not mean that nothing flows through it: layers in front of this one need the gradient $W^\\top g$. Do not compute the base output under "
    "`no_grad`, and do not detach it.",
)
def test_forward_gradient_input(solution, rng):
    parts, x, cotangent = Parts(rng), draw(rng, 2, 4).requires_grad_(), draw(rng, 2, 3)
    gradient = parts.layer(solution).run(x, backward=cotangent).gradient(x)
    ensure(gradient is not None, "No gradient reached x: its .grad is None after backward.")
    close(gradient, cotangent @ (parts.weight + parts.delta), what="gradient of x")


@check(
    "Gradients reach lora_a and lora_b, and only them",
    section="forward",
    sentence="gradient-parameters",
    hint="The judge moves each entry of both matrices a little and looks at the output. Both gradients carry the scale. `weight` and `bias` get none.",
)
def test_forward_gradient_parameters(solution, rng):
    parts, x, cotangent = Parts(rng), draw(rng, 2, 4), draw(rng, 2, 3)
    layer = parts.layer(solution)
    layer.run(x, backward=cotangent)
    plain = [rows(tensor) for tensor in (x, parts.weight, parts.bias)]
    lora_a, lora_b = rows(parts.lora_a), rows(parts.lora_b)

    def weighted(a, b):
        return math.fsum(map(dot, rows(cotangent), forward(*plain, a, b, ALPHA)))

    found = {name: item.grad for name, item in layer.parameters().items()}
    for name, expected in (
        ("lora_a", slopes(lambda a: weighted(a, lora_b), lora_a)),
        ("lora_b", slopes(lambda b: weighted(lora_a, b), lora_b)),
    ):
        gradient = found.pop(name, None)
        ensure(gradient is not None, f"No gradient reached {name}.")
        close(gradient, torch.tensor(expected, dtype=torch.float64), what=f"gradient of {name}", atol=1e-7, rtol=1e-7)
    leaked = [name for name, gradient in found.items() if gradient is not None]
    ensure(not leaked, f"A gradient reached {', '.join(leaked)}; only lora_a and lora_b are trained.")


@check(
    "At the start only lora_b has a gradient that is not zero",
    section="forward",
    sentence="gradient-start",
    hint="The gradient of $A$ is a product with $B$, and $B$ is zero; that of $B$ is a product with $A x$, and $A$ is not. So the first step moves $B$, and from then on both move.",
)
def test_forward_gradient_start(solution, rng):
    layer = solution.LoRALinear(draw(rng, 3, 4), None, 2, 1.0)
    layer.run(draw(rng, 5, 4), backward=draw(rng, 5, 3))
    gradients = {name: parameter(layer, name).grad for name in ("lora_a", "lora_b")}
    for name, gradient in gradients.items():
        ensure(gradient is not None, f"No gradient reached {name}.")
    largest = float(gradients["lora_a"].abs().max())
    ensure(
        largest == 0, f"The gradient of lora_a has an entry of size {largest:.3g}; lora_b is zero, so it must be zero."
    )
    ensure(
        bool((gradients["lora_b"] != 0).all()),
        "The gradient of lora_b has a zero; all its entries must be different from zero.",
    )


@check(
    "Two calls agree, in training and in evaluation",
    section="forward",
    sentence="modes",
    hint="There is no dropout in this layer, and `train()` and `eval()` change nothing; merging is asked for by its own methods.",
)
def test_forward_modes(solution, rng):
    parts, x = Parts(rng), draw(rng, 4, 4)
    layer, expected = parts.layer(solution), parts.output(x)
    for mode in ("train", "eval", "train"):
        layer.call(mode)
        close(layer(x), expected, what="output", where=f"after {mode}()")
        close(held(layer).get("weight"), parts.weight, what="weight", where=f"after {mode}()")


@check(
    "The input is not changed",
    section="forward",
    sentence="forward-unchanged",
    hint="`+=` on a tensor that came in changes the caller's. Work on new tensors.",
)
def test_forward_unchanged(solution, rng):
    x = draw(rng, 3, 4)
    layer = Parts(rng).layer(solution)
    run = layer.run(x)
    ensure(not run.changed(x), f"x was changed by the call: {run.changes(x)}.")


@check(
    "Refuses inputs that do not fit",
    section="forward",
    sentence="forward-input",
    hint="`functional.linear` raises a `RuntimeError` for a wrong size; the contract says `TypeError` or `ValueError`, before anything is computed. The supplied `validate_input` does it.",
)
def test_forward_refuses_input(solution, rng):
    layer = Parts(rng).layer(solution)
    for x in (
        draw(rng, 2, 3),
        draw(rng, 2, 4, dtype=torch.float32),
        torch.zeros(2, 4).long(),
        torch.tensor(1.0).double(),
        [[1.0] * 4],
    ):
        layer.refuses(x)
