"""What is observed of a call: gradients, changes, shared memory; and that a submission cannot talk it round."""

from __future__ import annotations

import os

import pytest

from sandbox.client import Client
from sandbox.tests.packages import judge, package_of

OBSERVE = """
@check("Observes", section="a")
def test_observes(solution):
    x = torch.arange(6, dtype=torch.float64).reshape(2, 3).requires_grad_(True)
    y = torch.ones(3)
    run = solution.f.run(x, y, backward=BACKWARD)
    fail(repr((EXPRESSION)))
"""


def observe(client: Client, submission: str, expression: str, backward: str = "False") -> str:
    """The value of an expression over `run`, `x` and `y`, after one call of the submission's `f`."""
    package = package_of(OBSERVE.replace("EXPRESSION", expression).replace("BACKWARD", backward))
    return judge(client, submission, package)["observes"].message


CHANGES = "run.changes(x), run.changes(y)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x + 1", "('', '')"),
        ("y.mul_(2)\n    return x", "('', 'its values are different')"),
        ("y.data = y.data * 2\n    return x", "('', 'its values are different, it was given other storage')"),
        ("y.resize_(1)\n    return x", "('', 'its shape went from [3] to [1]')"),
        ("x.requires_grad_(False)\n    return x", "('its requires_grad went from True to False', '')"),
        ("(x * 1).sum().backward()\n    return y", "('its .grad was set', '')"),
        ("y[1] = y[1]\n    return x", "('', '')"),
    ],
)
def test_changes_of_arguments_are_named(sandbox_client: Client, body: str, expected: str) -> None:
    assert observe(sandbox_client, f"def f(x, y):\n    {body}\n", CHANGES) == expected


SHARES = "run.shares_storage(x), run.shares_storage(y), run.outputs_share_storage"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x.clone(), y.clone()", "(False, False, False)"),
        ("return x, 1", "(True, False, False)"),
        ("return x.detach(), y[1:]", "(True, True, False)"),
        ("return y.expand(4, 3), 1", "(False, True, False)"),
        ("import torch\n    return torch.from_numpy(y.numpy()), 1", "(False, True, False)"),
        ("z = y + 1\n    return z, z[:1]", "(False, False, True)"),
        ("z = y + 1\n    return z, z", "(False, False, False)"),
        ("return y[:0], 1", "(False, True, False)"),
    ],
)
def test_shared_memory_is_seen(sandbox_client: Client, body: str, expected: str) -> None:
    assert observe(sandbox_client, f"def f(x, y):\n    {body}\n", SHARES) == expected


def test_gradients_come_back(sandbox_client: Client) -> None:
    submission = "def f(x, y):\n    return (x * x).sum()\n"
    assert observe(sandbox_client, submission, "run.gradient(x).tolist(), run.gradient(y)", "True") == (
        "([[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]], None)"
    )


def test_a_cotangent_is_used(sandbox_client: Client) -> None:
    submission = "def f(x, y):\n    return 3 * x\n"
    cotangent = "torch.full((2, 3), 2.0, dtype=torch.float64)"
    assert observe(sandbox_client, submission, "run.gradient(x)[0].tolist()", cotangent) == "[6.0, 6.0, 6.0]"


def test_a_detached_result_is_said(sandbox_client: Client) -> None:
    message = observe(sandbox_client, "def f(x, y):\n    return x.detach().sum()\n", "run.gradient(x)", "True")
    assert message == (
        "Gradients could not be computed from what f returned: RuntimeError: element 0 of tensors does not require "
        "grad and does not have a grad_fn"
    )


def test_facts_of_the_result(sandbox_client: Client) -> None:
    expression = "[(o.dtype, o.shape, o.requires_grad, o.is_leaf, o.has_grad_fn, o.contiguous) for o in run.outputs]"
    assert observe(sandbox_client, "def f(x, y):\n    return x.t(), y\n", expression) == (
        "[(torch.float64, (3, 2), True, False, True, False), (torch.float32, (3,), False, True, False, True)]"
    )


def test_strides_sharing_and_gradients_arrive(sandbox_client: Client) -> None:
    package = package_of(
        "@check('Arrives', section='a')\ndef test_arrives(solution):\n"
        "    base = torch.arange(12.0).reshape(3, 4)\n"
        "    view = base[:, ::2].t().requires_grad_(True)\n"
        "    equal(solution.f(base, view), [(2, 4), True, True, True, False], what='layout')\n"
    )
    submission = (
        "def f(base, view):\n"
        "    same = base.untyped_storage().data_ptr() == view.untyped_storage().data_ptr()\n"
        "    return [tuple(view.stride()), same, view.requires_grad, view.is_leaf, base.requires_grad]\n"
    )
    judged = judge(sandbox_client, submission, package)
    assert judged["arrives"].message == ""


PATCHES = """
import torch

def liar(*args, **kwargs):
    return True

torch.equal = torch.allclose = liar
torch.Tensor.__eq__ = torch.Tensor.equal = liar
torch.Tensor.data_ptr = lambda self: 1
torch.Tensor.untyped_storage = lambda self: None
torch.Tensor.detach = lambda self: torch.zeros(1)
torch.Tensor.requires_grad = property(lambda self: False)
torch.Tensor.grad = property(lambda self: None, lambda self, value: None)
torch.autograd.backward = liar
"""


def test_patched_torch_hides_nothing(sandbox_client: Client) -> None:
    body = "def f(x, y):\n    y.mul_(2)\n    return x, y\n"
    assert observe(sandbox_client, PATCHES + body, CHANGES) == "('', 'its values are different')"
    assert observe(sandbox_client, PATCHES + body, SHARES) == "(True, True, False)"
    assert observe(
        sandbox_client, PATCHES + "def f(x, y): return (x * x).sum()", "run.gradient(x)[0].tolist()", "True"
    ) == ("[0.0, 2.0, 4.0]")


def test_threads_are_set_for_the_call_alone(sandbox_client: Client) -> None:
    package = package_of(
        "@check('Threads', section='a')\ndef test_threads(solution):\n"
        "    equal([solution.f(), solution.f.on_threads(2), solution.f()], [1, 2, 1], what='threads')\n"
    )
    judged = judge(sandbox_client, "import torch\ndef f(): return torch.get_num_threads()", package)
    assert judged["threads"].message == ""


def test_several_threads_have_every_core_and_one_has_one(sandbox_client: Client) -> None:
    """Those that a submission starts by itself stay with it."""
    package = package_of(
        "@check('Cores', section='a')\ndef test_cores(solution):\n"
        "    before, during, after = solution.f(), solution.f.on_threads(2), solution.f()\n"
        f"    equal([during, len(before), after], [{sorted(os.sched_getaffinity(0))}, 1, before], what='cores')\n"
    )
    submission = """
import concurrent.futures, os
def cores():
    return sorted(os.sched_getaffinity(0))
def f():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        assert pool.submit(cores).result() == cores()
    return cores()
"""
    assert judge(sandbox_client, submission, package)["cores"].message == ""
