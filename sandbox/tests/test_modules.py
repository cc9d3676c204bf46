"""Submissions that define modules: they stay in the solution jail, and are called and looked into from the checks."""

from __future__ import annotations

import pytest

from sandbox.client import Client
from sandbox.tests.packages import Judged, judge, package_of

LAYER = """
import torch

class Layer(torch.nn.Module):
    def __init__(self, weight, scale=1.0):
        super().__init__()
        if scale <= 0:
            raise ValueError("scale must be positive")
        self.weight = torch.nn.Parameter(weight.clone())
        self.frozen = torch.nn.Parameter(torch.ones(1), requires_grad=False)
        self.register_buffer("seen", torch.zeros(()))
        self.scale = scale

    def forward(self, x):
        return self.scale * x @ self.weight

    def doubled(self):
        return 2 * self.scale

def apply(layer, x):
    return layer(x) + 1
"""

START = """
    weight = torch.arange(6.0).reshape(2, 3)
    layer = solution.Layer(weight, scale=2.0)
    x = torch.ones(1, 2)
"""


def run(client: Client, body: str, submission: str = LAYER) -> Judged:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    package = package_of(
        f"@check('Module', section='a')\ndef test_module(solution):\n{START}{lines}",
        functions={"Layer": "Module", "apply": "Tensor"},
    )
    return judge(client, submission, package)


@pytest.mark.parametrize(
    "body",
    [
        "close(layer(x), [[6.0, 10.0, 14.0]])",
        "layer.run(x, backward=torch.ones(1, 3))\nclose(layer.parameters()['weight'].grad, torch.full((2, 3), 2.0))",
        "x.requires_grad_(True)\nrun = layer.run(x, backward=torch.ones(1, 3))\nclose(run.gradient(x), [[6.0, 24.0]])",
        "equal({n: p.requires_grad for n, p in layer.parameters().items()}, {'weight': True, 'frozen': False})",
        "equal(list(layer.buffers()), ['seen'])",
        "equal(layer.attribute('scale'), 2.0)",
        "equal(layer.call('doubled', returns='float'), 4.0)",
        "layer.assign({'weight': torch.zeros(2, 3)})\nclose(layer(x), torch.zeros(1, 3))",
        "close(solution.apply(layer, x), [[7.0, 11.0, 15.0]])",
        "solution.Layer.refuses(weight, scale=0.0)",
        "other = solution.Layer(weight)\nclose(other(x), [[3.0, 5.0, 7.0]])\nclose(layer(x), [[6.0, 10.0, 14.0]])",
    ],
)
def test_a_module_behaves_as_if_it_were_here(sandbox_client: Client, body: str) -> None:
    judged = run(sandbox_client, body)
    assert judged["module"].message == ""
    assert judged.outcome.verdict == "accepted"


def test_errors_name_the_module(sandbox_client: Client) -> None:
    judged = run(sandbox_client, "layer(torch.ones(1, 5))")
    assert judged["module"].status == "runtime_error"
    assert judged["module"].message.startswith("The Layer raised RuntimeError at line 15 of your file:")
    judged = run(sandbox_client, "layer.attribute('rank')")
    assert judged["module"].message.startswith("Attribute of the Layer raised AttributeError")


def test_messages_name_a_module_among_the_arguments(sandbox_client: Client) -> None:
    judged = run(sandbox_client, "solution.apply.refuses(layer, x)")
    assert judged["module"].message == (
        "apply(a Layer, tensor of shape [1, 2]) must raise TypeError or ValueError; "
        "it returned a tensor of shape [1, 3]."
    )


def test_something_else_than_a_module_is_refused(sandbox_client: Client) -> None:
    judged = run(sandbox_client, "", "def Layer(weight, scale): return weight\ndef apply(layer, x): return x")
    assert judged["module"].message == "Layer must return Module; it returned a tensor of shape [2, 3]."
