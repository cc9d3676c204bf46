"""What a new layer holds, what is trained of it, and what it refuses."""

import math

import torch

from inputs import Parts, draw, held, named, parameter
from sandbox.checks import check, close, ensure, equal


@check(
    "lora_a and lora_b are what is trained, and nothing else",
    section="layer",
    sentence="trainable",
    hint="`nn.Parameter(...)` makes a tensor known to the module. Two of them require grad: `lora_a` with the shape `[rank, in]` and `lora_b` with the shape "
    "`[out, rank]`. In the product $B A$ the small dimension is inside.",
)
def test_layer_trainable(solution, rng):
    layer = solution.LoRALinear(draw(rng, 3, 4), draw(rng, 3), 2, 1.0)
    trained = {name: tuple(p.value.shape) for name, p in layer.parameters().items() if p.requires_grad}
    equal(sorted(trained), ["lora_a", "lora_b"], what="parameters that require grad")
    equal(trained["lora_a"], (2, 4), what="shape of lora_a")
    equal(trained["lora_b"], (3, 2), what="shape of lora_b")


@check(
    "Weight and bias are kept, frozen",
    section="layer",
    sentence="frozen",
    hint="Keep them under the names `weight` and `bias`: as parameters with `requires_grad=False`, or as buffers. A plain attribute is lost when the layer is saved, moved to another "
    "device or counted.",
)
def test_layer_frozen(solution, rng):
    weight, bias = draw(rng, 3, 4), draw(rng, 3)
    layer = solution.LoRALinear(weight, bias, 2, 1.0)
    found, parameters = held(layer), layer.parameters()
    for name, expected in (("weight", weight), ("bias", bias)):
        ensure(name in found, f"The layer has neither a parameter nor a buffer that is named {name}.")
        ensure(
            name not in parameters or not parameters[name].requires_grad, f"{name} requires grad; it must be frozen."
        )
        equal(found[name], expected, what=name)


@check(
    "A layer without a bias",
    section="layer",
    sentence="no-bias",
    hint="`bias=None` is legal: many layers of language models have none. Then the attribute `bias` is None, and nothing is added.",
)
def test_layer_without_bias(solution, rng):
    parts = Parts(rng, bias=False)
    layer, x = parts.layer(solution), draw(rng, 5, 4)
    close(layer(x), parts.output(x), what="output")
    equal(layer.attribute("bias"), None, what="bias")


@check(
    "lora_b starts as zeros",
    section="layer",
    sentence="start-b",
    hint="$B = 0$ makes the change zero, whatever $A$ is. Of the two matrices `lora_a` is the random one.",
)
def test_layer_start_b(solution, rng):
    layer = solution.LoRALinear(draw(rng, 3, 4), None, 2, 1.0)
    equal(parameter(layer, "lora_b").value, torch.zeros(3, 2, dtype=torch.float64), what="parameter lora_b")


@check(
    "lora_a starts with random numbers of a reasonable size",
    section="layer",
    sentence="start-a",
    hint="If both matrices are zero, then both gradients are zero, for ever. Draw `lora_a` from a distribution with mean zero that gets narrower with the number of inputs: $1 / \\sqrt{n}$, or what "
    "`kaiming_uniform_` makes of it.",
)
def test_layer_start_a(solution, rng):
    value = parameter(solution.LoRALinear(draw(rng, 16, 256), None, 8, 1.0), "lora_a").value
    spread, middle = float(value.std()), float(value.mean())
    ensure(bool(value.isfinite().all()), "lora_a holds a number that is not finite.")
    ensure(
        0.1 <= spread * 16 <= 5,
        f"With 256 inputs the standard deviation of lora_a is {spread:.4g}; it must lie between {0.1 / 16:.4g} and {5 / 16:.4g}.",
    )
    ensure(abs(middle) <= spread / 2, f"The mean of lora_a is {middle:.4g}; the numbers must lie around zero.")


@check(
    "Every layer draws its own lora_a",
    section="layer",
    sentence="start-own",
    hint="A seed that is set in the constructor gives all layers of a model the same numbers, and changes the random numbers of everybody else.",
)
def test_layer_start_own(solution, rng):
    weight = draw(rng, 6, 8)
    first, second = (parameter(solution.LoRALinear(weight, None, 4, 1.0), "lora_a").value for _ in range(2))
    ensure(not torch.equal(first, second), "Two new layers have the same lora_a.")


@check(
    "A new layer computes what the base layer does",
    section="layer",
    sentence="start-output",
    hint="Fine-tuning begins at the model that was given. With $B = 0$ the output is $W x + b$; if yours differs, something else was added, or the weight was changed.",
)
def test_layer_start_output(solution, rng):
    weight, bias, x = draw(rng, 3, 4), draw(rng, 3), draw(rng, 5, 4)
    layer = solution.LoRALinear(weight, bias, 2, 4.0)
    close(layer(x), x @ weight.T + bias, what="output")


@check(
    "Everything has the dtype of the weight",
    section="layer",
    sentence="layer-dtype",
    hint="`torch.zeros(...)` and `torch.randn(...)` make float32 unless you say otherwise. Pass `dtype=weight.dtype`.",
)
def test_layer_dtype(solution, rng):
    for dtype in (torch.float64, torch.float32):
        layer = solution.LoRALinear(draw(rng, 3, 4, dtype=dtype), draw(rng, 3, dtype=dtype), 2, 1.0)
        for name, tensor in held(layer).items():
            if name in ("weight", "bias", "lora_a", "lora_b"):
                equal(named(tensor.dtype), named(dtype), what=f"dtype of {name}")


@check(
    "The rank may be as large as the smaller side, and as small as one",
    section="layer",
    sentence="rank",
    hint="From 1 to `min(out, in)`, both included. At the upper end the change can be any matrix.",
)
def test_layer_ranks(solution, rng):
    weight, x = draw(rng, 3, 4), draw(rng, 2, 4)
    for rank in (1, 3):
        layer = solution.LoRALinear(weight, None, rank, 2)
        lora_a, lora_b = draw(rng, rank, 4), draw(rng, 3, rank)
        layer.assign({"lora_a": lora_a, "lora_b": lora_b})
        close(layer(x), x @ (weight + 2 / rank * lora_b @ lora_a).T, what="output", where=f"rank {rank}")


@check(
    "Strided weights, and weights that require grad",
    section="layer",
    sentence="layer-unchanged",
    hint="The base may be a transposed matrix, or the parameter of another model. `detach().clone()` takes the values; `requires_grad_(False)` on the given tensor would freeze somebody else's "
    "model.",
)
def test_layer_arguments_unchanged(solution, rng):
    weight, bias = draw(rng, 4, 3).t().requires_grad_(), draw(rng, 6)[::2].requires_grad_()
    run = solution.LoRALinear.run(weight, bias, 2, 1.0)
    for tensor, name in ((weight, "weight"), (bias, "bias")):
        ensure(not run.changed(tensor), f"{name} was changed by the constructor: {run.changes(tensor)}.")
    found = held(run.value)
    equal(found.get("weight"), weight.detach().contiguous(), what="weight")
    equal(found.get("bias"), bias.detach().contiguous(), what="bias")


@check(
    "Refuses a rank that is none",
    section="layer",
    sentence="rank",
    hint="Zero would divide by zero, `True` is an `int` in Python, and a rank above the smaller side adds parameters that can't do anything new. The supplied `validate_rank` refuses them.",
)
def test_layer_refuses_rank(solution, rng):
    weight = draw(rng, 3, 4)
    for rank in (0, -1, 4, True, 2.0):
        solution.LoRALinear.refuses(weight, None, rank, 1.0)


@check(
    "Refuses an alpha that is not finite and positive",
    section="layer",
    sentence="alpha",
    hint="A bool is not a number here, nor is a tensor. The supplied `validate_positive` refuses them.",
)
def test_layer_refuses_alpha(solution, rng):
    weight = draw(rng, 3, 4)
    for alpha in (0, -1.0, math.inf, math.nan, True, torch.tensor(1.0)):
        solution.LoRALinear.refuses(weight, None, 2, alpha)


@check(
    "Refuses weights and biases that do not fit",
    section="layer",
    sentence="layer-shapes",
    hint="A bias with one entry would be broadcast, and one of another dtype promoted. The supplied `validate_base` refuses them.",
)
def test_layer_refuses_base(solution, rng):
    weight, bias = draw(rng, 3, 4), draw(rng, 3)
    holed, torn = weight.clone(), bias.clone()
    holed[1, 2], torn[1] = math.nan, math.inf
    for arguments in (
        (weight[0], None),
        (weight[None], None),
        (weight[:, :0], None),
        (weight.long(), None),
        (weight.tolist(), None),
        (None, None),
        (holed, None),
        (weight, bias[:1]),
        (weight, bias[:, None]),
        (weight, bias.float()),
        (weight, torn),
        (weight, bias.tolist()),
    ):
        solution.LoRALinear.refuses(*arguments, 1, 1.0)
