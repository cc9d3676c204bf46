"""Merging the change into the weight, and taking it out again."""

import torch

from inputs import Parts, draw, held, matrix, named, parameter
from sandbox.checks import check, close, ensure, equal


@check(
    "The change of the weight",
    section="merge",
    sentence="delta",
    hint="`delta_weight` is $\\frac{\\alpha}{r} B A$, with the shape of the weight. $B A$ is `[out, rank]` times `[rank, in]`.",
)
def test_merge_delta(solution, rng):
    layer = solution.LoRALinear(matrix([1, 0, 0], [0, 1, 0]), None, 1, 4)
    layer.assign({"lora_a": matrix([1, 2, 3]), "lora_b": matrix([1], [-1])})
    close(layer.call("delta_weight", returns="Tensor"), matrix([4, 8, 12], [-4, -8, -12]), what="change")
    parts = Parts(rng)
    close(parts.layer(solution).call("delta_weight", returns="Tensor"), parts.delta, what="change")


@check(
    "merge adds the scaled change to the weight",
    section="merge",
    sentence="merge-weight",
    hint="The same scale as in the forward pass, and once. If the output changes with the merge, compare the two places.",
)
def test_merge_weight(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    layer.call("merge", returns="None")
    close(held(layer).get("weight"), parts.weight + parts.delta, what="weight", where="merged")
    equal(held(layer).get("bias"), parts.bias, what="bias", where="merged")


@check(
    "A merged layer gives the same output",
    section="merge",
    sentence="merge-output",
    hint="When the change is in the weight, the low-rank path must be left out, or it counts twice: ask `merged` in the forward pass.",
)
def test_merge_output(solution, rng):
    for dtype in (torch.float64, torch.float32):
        parts, x = Parts(rng, dtype), draw(rng, 2, 3, 4, dtype=dtype)
        layer = parts.layer(solution)
        layer.call("merge", returns="None")
        close(layer(x), parts.output(x), what="output", where=f"merged, {named(dtype)}")


@check(
    "A merged layer is one linear map",
    section="merge",
    sentence="merge-one-map",
    hint="This is what merging is for: no additional work. So what is done to `lora_a` and `lora_b` later has no effect until the layer is unmerged.",
)
def test_merge_one_map(solution, rng):
    parts, x = Parts(rng), draw(rng, 2, 4)
    layer = parts.layer(solution)
    layer.call("merge", returns="None")
    layer.assign({"lora_a": draw(rng, 2, 4), "lora_b": draw(rng, 3, 2)})
    close(layer(x), parts.output(x), what="output", where="lora_a and lora_b replaced after the merge")


@check(
    "The layer says whether it is merged",
    section="merge",
    sentence="merged",
    hint="`merged` is a plain `bool`: False in the beginning, True after `merge`, False after `unmerge`.",
)
def test_merge_flag(solution, rng):
    layer = Parts(rng).layer(solution)
    equal(layer.attribute("merged"), False, what="merged", where="a new layer")
    layer.call("merge", returns="None")
    equal(layer.attribute("merged"), True, what="merged", where="after merge()")
    layer.call("unmerge", returns="None")
    equal(layer.attribute("merged"), False, what="merged", where="after unmerge()")


@check(
    "Merging twice is merging once",
    section="merge",
    sentence="merge-twice",
    hint="The second call finds the change in the weight already. Ask `merged` first.",
)
def test_merge_twice(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    for _ in range(2):
        layer.call("merge", returns="None")
    close(held(layer).get("weight"), parts.weight + parts.delta, what="weight", where="merged twice")


@check(
    "unmerge restores the weight",
    section="merge",
    sentence="unmerge",
    hint="What was added is taken away again, with the same scale, or the weight from before is put back.",
)
def test_merge_unmerge(solution, rng):
    parts, x = Parts(rng), draw(rng, 2, 4)
    layer = parts.layer(solution)
    layer.call("merge", returns="None")
    layer.call("unmerge", returns="None")
    close(held(layer).get("weight"), parts.weight, what="weight", where="unmerged")
    close(layer(x), parts.output(x), what="output", where="unmerged")


@check(
    "unmerge restores it even if lora_a and lora_b have changed",
    section="merge",
    sentence="unmerge-changed",
    hint="`weight -= delta_weight()` takes away the change as it is *now*, not the one that was added. Somebody may have loaded other matrices meanwhile: keep what was added, or the weight from "
    "before.",
)
def test_merge_unmerge_changed(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    layer.call("merge", returns="None")
    parts.lora_a, parts.lora_b = draw(rng, 2, 4), draw(rng, 3, 2)
    layer.assign({"lora_a": parts.lora_a, "lora_b": parts.lora_b})
    layer.call("unmerge", returns="None")
    close(held(layer).get("weight"), parts.weight, what="weight", where="unmerged")
    layer.call("merge", returns="None")
    close(held(layer).get("weight"), parts.weight + parts.delta, what="weight", where="merged again")


@check(
    "unmerge does nothing to a layer that is not merged",
    section="merge",
    sentence="unmerge-twice",
    hint="There is nothing to take away, neither from a new layer nor the second time.",
)
def test_merge_unmerge_twice(solution, rng):
    parts = Parts(rng)
    layer = parts.layer(solution)
    layer.call("unmerge", returns="None")
    close(held(layer).get("weight"), parts.weight, what="weight", where="unmerged, never merged")
    layer.call("merge", returns="None")
    for _ in range(2):
        layer.call("unmerge", returns="None")
    close(held(layer).get("weight"), parts.weight, what="weight", where="unmerged twice")


@check(
    "What is trained stays the same",
    section="merge",
    sentence="merge-trainable",
    hint="`weight = nn.Parameter(...)` makes a new parameter that requires grad. Write the sum into the old one without gradients. `lora_a` and `lora_b` keep their values: "
    "they are needed again.",
)
def test_merge_trainable(solution, rng):
    parts, x, cotangent = Parts(rng), draw(rng, 2, 4), draw(rng, 2, 3)
    layer = parts.layer(solution)
    layer.call("merge", returns="None")
    for where in ("after merge()", "after unmerge()"):
        trained = sorted(name for name, item in layer.parameters().items() if item.requires_grad)
        equal(trained, ["lora_a", "lora_b"], what="parameters that require grad", where=where)
        equal(parameter(layer, "lora_a").value, parts.lora_a, what="parameter lora_a", where=where)
        equal(parameter(layer, "lora_b").value, parts.lora_b, what="parameter lora_b", where=where)
        layer.call("unmerge", returns="None")
    layer.run(x, backward=cotangent)
    gradient = parameter(layer, "lora_b").grad
    ensure(gradient is not None, "No gradient reached lora_b after merging and unmerging.")
    close(gradient, 1.5 * cotangent.T @ x @ parts.lora_a.T, what="gradient of lora_b", where="after unmerge()")
