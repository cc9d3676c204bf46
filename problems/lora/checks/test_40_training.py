"""One training step, and the counts of parameters."""

import math

import torch

from inputs import ALPHA, Parts, draw, held, matrix, parameter
from oracle import rows, trained
from sandbox.checks import check, close, ensure, equal


def stepped(parts, inputs, targets, rate):
    """Loss, lora_a and lora_b after one step by the oracle."""
    plain = map(rows, (inputs, targets, parts.weight, parts.bias, parts.lora_a, parts.lora_b))
    return [torch.tensor(part, dtype=torch.float64) for part in trained(*plain, ALPHA, rate)]


def compare(layer, expected_a, expected_b, where=""):
    """Compare what is trained of the layer."""
    close(parameter(layer, "lora_b").value, expected_b, what="parameter lora_b", where=where, atol=1e-8)
    close(parameter(layer, "lora_a").value, expected_a, what="parameter lora_a", where=where, atol=1e-8)


@check(
    "The loss is the mean squared error before the step",
    section="training",
    sentence="step-loss",
    hint="The output is $(17, 10)$ as in the hand value of the forward pass, and the targets are $(16, 7)$: $(1^2 + 3^2) / 2 = 5$. A mean over all entries, without a factor of one half, and not "
    "computed again after the step.",
)
def test_train_loss(solution):
    layer = solution.LoRALinear(matrix([1, 0], [0, 1]), torch.tensor([10, 20], dtype=torch.float64), 1, 2)
    layer.assign({"lora_a": matrix([1, 1]), "lora_b": matrix([1], [-2])})
    loss = solution.train_step(layer, matrix([1, 2]), matrix([16, 7]), 0.01)
    close(loss, torch.tensor(5, dtype=torch.float64), what="loss")


@check(
    "The loss is a detached scalar",
    section="training",
    sentence="step-detached",
    hint="The graph behind the loss belongs to parameters that have just been changed. Return `loss.detach()`.",
)
def test_train_loss_detached(solution, rng):
    run = solution.train_step.run(Parts(rng).layer(solution), draw(rng, 5, 4), draw(rng, 5, 3), 0.1)
    (output,) = run.outputs
    equal(output.shape, (), what="shape of the loss")
    ensure(not (output.requires_grad or output.has_grad_fn), "The loss requires grad; it must be detached.")


@check(
    "Both matrices go down their gradients",
    section="training",
    sentence="step-rule",
    hint="The judge takes the gradient of the mean squared error by finite differences. Plain gradient descent: `parameter - learning_rate * gradient`, for both matrices, with gradients of the *same* "
    "point: `lora_b` must not be moved before the gradient of `lora_a` is known.",
)
def test_train_rule(solution, rng):
    parts, inputs, targets = Parts(rng), draw(rng, 5, 4), draw(rng, 5, 3)
    layer = parts.layer(solution)
    for rate in (0.05, 0.01):
        loss, parts.lora_a, parts.lora_b = stepped(parts, inputs, targets, rate)
        where = f"learning rate {rate}"
        close(solution.train_step(layer, inputs, targets, rate), loss, what="loss", where=where, atol=1e-8)
        compare(layer, parts.lora_a, parts.lora_b, where)


@check(
    "The first step of a new layer moves lora_b only",
    section="training",
    sentence="step-first",
    hint="The gradient of `lora_a` is zero as long as `lora_b` is. If `lora_a` moves all the same, there is a decay of weights or a momentum in the step.",
)
def test_train_first_step(solution, rng):
    layer = solution.LoRALinear(draw(rng, 3, 4), draw(rng, 3), 2, ALPHA)
    before = parameter(layer, "lora_a").value
    solution.train_step(layer, draw(rng, 5, 4), draw(rng, 5, 3), 0.1)
    equal(parameter(layer, "lora_a").value, before, what="parameter lora_a")
    ensure(
        bool((parameter(layer, "lora_b").value != 0).all()),
        "lora_b has a zero after the first step; all its entries must have moved.",
    )


@check(
    "Weight and bias are not trained",
    section="training",
    sentence="step-frozen",
    hint="Only `lora_a` and `lora_b` move. Give the optimizer these two, or those that require grad.",
)
def test_train_frozen(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    solution.train_step(layer, draw(rng, 5, 4), draw(rng, 5, 3), 0.1)
    found = held(layer)
    equal(found.get("weight"), parts.weight, what="weight")
    equal(found.get("bias"), parts.bias, what="bias")


@check(
    "Gradients that are there already play no part",
    section="training",
    sentence="step-stale",
    hint="`backward()` adds to `.grad`. What an earlier backward pass has left there must not be part of this step: clear it before, or use `torch.autograd.grad`.",
)
def test_train_stale_gradients(solution, rng):
    parts, inputs, targets = Parts(rng), draw(rng, 5, 4), draw(rng, 5, 3)
    layer = parts.layer(solution)
    layer.run(inputs, backward=draw(rng, 5, 3))
    _, lora_a, lora_b = stepped(parts, inputs, targets, 0.05)
    solution.train_step(layer, inputs, targets, 0.05)
    compare(layer, lora_a, lora_b)


@check(
    "Inputs and targets with more dimensions",
    section="training",
    sentence="step-shapes",
    hint="The mean is taken over all entries, however they are arranged, and the step is the same.",
)
def test_train_leading_dimensions(solution, rng):
    parts, inputs, targets = Parts(rng), draw(rng, 6, 4), draw(rng, 6, 3)
    layer = parts.layer(solution)
    _, lora_a, lora_b = stepped(parts, inputs, targets, 0.05)
    solution.train_step(layer, inputs.reshape(2, 3, 4), targets.reshape(2, 3, 3), 0.05)
    compare(layer, lora_a, lora_b)


@check(
    "Inputs and targets stay as they were",
    section="training",
    sentence="step-unchanged",
    hint="They belong to the caller: no in-place operations, no `requires_grad_`.",
)
def test_train_unchanged(solution, rng):
    inputs, targets = draw(rng, 5, 4), draw(rng, 5, 3)
    run = solution.train_step.run(Parts(rng).layer(solution), inputs, targets, 0.1)
    for tensor, name in ((inputs, "inputs"), (targets, "targets")):
        ensure(not run.changed(tensor), f"{name} was changed by the call: {run.changes(tensor)}.")


@check(
    "Refuses to train a merged layer",
    section="training",
    sentence="step-merged",
    hint="The output of a merged layer does not depend on `lora_a` and `lora_b`, so there is nothing to train. Say so with a `ValueError`.",
)
def test_train_refuses_merged(solution, rng):
    layer = Parts(rng).layer(solution)
    layer.call("merge", returns="None")
    solution.train_step.refuses(layer, draw(rng, 5, 4), draw(rng, 5, 3), 0.1)


@check(
    "Refuses targets of another shape or dtype",
    section="training",
    sentence="step-shapes",
    hint="The difference of `[5, 3]` and `[5, 1]`, or `[3]`, is broadcast, and the loss is the error against the wrong numbers. Compare the shapes.",
)
def test_train_refuses_targets(solution, rng):
    layer, inputs, targets = Parts(rng).layer(solution), draw(rng, 5, 4), draw(rng, 5, 3)
    for wrong in (targets[:, :1], targets[0], targets[:1], targets.float(), targets.tolist()):
        solution.train_step.refuses(layer, inputs, wrong, 0.1)


@check(
    "Refuses a learning rate that is not finite and positive",
    section="training",
    sentence="learning-rate",
    hint="Zero trains nothing, a negative rate climbs, and NaN destroys the parameters. The supplied `validate_positive` refuses them.",
)
def test_train_refuses_learning_rate(solution, rng):
    layer, inputs, targets = Parts(rng).layer(solution), draw(rng, 5, 4), draw(rng, 5, 3)
    for rate in (0, -0.1, math.inf, math.nan, True, torch.tensor(0.1)):
        solution.train_step.refuses(layer, inputs, targets, rate)


@check(
    "Trained and frozen numbers",
    section="counts",
    sentence="counts-rule",
    hint="`lora_a` and `lora_b` have $r\\,(n + m)$ entries together; weight and bias have $n m + m$, whether the layer keeps them as parameters or as buffers. First what is trained, then what is frozen.",
)
def test_counts(solution, rng):
    for out_features, in_features, rank, bias in ((3, 4, 2, True), (5, 7, 1, False)):
        weight = draw(rng, out_features, in_features)
        layer = solution.LoRALinear(weight, draw(rng, out_features) if bias else None, rank, 1.0)
        expected = (rank * (in_features + out_features), out_features * (in_features + bias))
        where = f"{in_features} to {out_features}, rank {rank}, {'with' if bias else 'without'} bias"
        equal(solution.parameter_counts(layer), expected, what="counts", where=where)


@check(
    "Merging changes no count",
    section="counts",
    sentence="counts-merged",
    hint="Count the four tensors by their names, not everything that the layer happens to keep, such as a copy of the weight from before a merge.",
)
def test_counts_merged(solution, rng):
    layer = Parts(rng).layer(solution)
    layer.call("merge", returns="None")
    equal(solution.parameter_counts(layer), (14, 15), what="counts", where="merged")
