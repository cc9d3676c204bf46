"""What the template does once so that no jail pays for a first time: the whole way of a call, over and over.

Python adapts the bytecode of a function to what it sees after a few runs, and torch prepares each operation when it is
first used. A process that is forked afterwards inherits both; one that was not rehearsed takes more than twice as long
for its checks. Nothing foreign runs here, and nothing that starts a thread: backward passes of a torch without
accelerators run in the thread that asks for them.
"""

from __future__ import annotations

import contextlib
import linecache
import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from sandbox.calls import Call
from sandbox.checks import Solution, close, ensure, equal
from sandbox.proxy import Reply
from sandbox.solution import Inmate
from sandbox.wire import pack, unpack

ROUNDS = 24
"""More than the runs after which Python adapts the bytecode of a function."""

_FUNCTIONS = {"loss": "Tensor", "update": "None", "pair": "(Tensor, int)", "build": "Module"}

_SUBMISSION = """
import torch
import torch.nn.functional as F
from torch import Tensor, nn


def loss(rows: Tensor, others: Tensor, temperature: float = 0.5) -> Tensor:
    if not isinstance(rows, Tensor) or rows.ndim != 2:
        raise TypeError("rows must be a tensor of shape [B, D]")
    if not rows.is_floating_point() or rows.shape != others.shape or rows.dtype != others.dtype:
        raise ValueError("rows and others must be of one shape and one floating dtype")
    if not bool(torch.isfinite(rows).all()) or not temperature > 0:
        raise ValueError("rows must be finite, and the temperature positive")
    first, second = F.normalize(rows, dim=1), others / others.norm(dim=-1, keepdim=True).clamp_min(1e-12)
    positive = torch.einsum("bd,bd->b", first, second).unsqueeze(1)
    logits = torch.cat([positive, first @ second.detach().clone().T], dim=1) / temperature
    labels = torch.zeros(len(logits), dtype=torch.long, device=logits.device)
    exponentials = logits.exp()
    same = F.cross_entropy(logits, labels) + F.nll_loss(F.log_softmax(logits, dim=1), labels)
    other = (torch.logsumexp(logits, dim=1) - logits[:, 0]).mean() - torch.softmax(logits, dim=1)[:, 0].log().mean()
    third = -(exponentials[:, 0] / exponentials.sum(dim=1)).log().sum() / len(logits)
    return (same + other + third + F.softplus(-positive).mean() - F.mse_loss(first, first.relu())) / 3


@torch.no_grad()
def update(target: nn.Module, source: nn.Module, momentum: float = 0.9) -> None:
    for mine, other in zip(target.parameters(), source.parameters(), strict=True):
        mine.mul_(momentum).add_(other, alpha=1 - momentum)
        mine.data.copy_(torch.lerp(mine, other, 1 - momentum))
    for mine, other in zip(target.buffers(), source.buffers(), strict=True):
        mine.copy_(other)


def pair(queue: Tensor, rows: Tensor, pointer: int) -> tuple[Tensor, int]:
    places = (torch.arange(len(rows)) + pointer) % len(queue)
    result = queue.detach().clone()
    result[places] = rows.detach().to(queue.dtype)
    result.index_copy_(0, places, rows.detach())
    return torch.where(result > 10, torch.zeros_like(result), result), int((pointer + rows.shape[0]) % queue.shape[0])


class build(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(size, size)
        self.norm = nn.BatchNorm1d(size)
        self.scale = nn.Parameter(torch.zeros(size))

    def forward(self, rows: Tensor) -> Tensor:
        return self.norm(F.gelu(self.layer(rows)).relu() + rows * self.scale + F.dropout(rows, 0.1, self.training))

"""


_EXPERIMENT = """
import torch
from torch import nn


def run(solution, steps: int):
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 3))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1, momentum=0.9)
    states = []
    for _ in range(steps):
        optimizer.zero_grad()
        value = solution.loss(network(torch.ones(4, 3)), torch.randn(4, 3))
        value.backward()
        optimizer.step()
        states.append({"loss": value.item(), "weights": [weight.detach().clone() for weight in network.parameters()]})
    return {"states": states}
"""


class InProcess:
    """A way to call a submission of ours in this very process, through frames as they go over a channel."""

    def __init__(self, functions: Mapping[str, str], supplied: Mapping[str, str], source: str) -> None:
        self.functions = dict(functions)
        self._inmate = Inmate({"functions": list(functions), "supplied": dict(supplied), "threads": 1})
        self._inmate.load(source)

    def call(self, name: str | None, args: tuple[Any, ...], kwargs: dict[str, Any], **options: Any) -> Reply:
        """As a checker calls, but always with one thread: a process with more must not fork."""
        call = Call.make(name, args, kwargs, **(options | {"threads": None}))
        return call.read(*unpack(pack(*self._inmate.answer(*unpack(pack(call.request, call.block))))))


@contextlib.contextmanager
def in_process(functions: Mapping[str, str], supplied: Mapping[str, str], source: str) -> Iterator[InProcess]:
    """A submission of ours, loaded here and forgotten afterwards, with what it drew from torch's generator."""
    path, random_state = list(sys.meta_path), torch.get_rng_state()
    try:
        yield InProcess(functions, supplied, source)
    finally:
        sys.meta_path[:] = path
        for name in ("solution", *(file.removesuffix(".py") for file in supplied)):
            sys.modules.pop(name, None)
            linecache.cache.pop(f"{name}.py", None)
        torch.set_rng_state(random_state)


def rehearse() -> None:
    """Runs everything that a job runs `ROUNDS` times, and forgets it. The process must have one thread for torch."""
    for place in range(ROUNDS):
        with in_process(_FUNCTIONS, {"experiment.py": _EXPERIMENT}, _SUBMISSION) as caller:
            _check(Solution(caller), (torch.float32, torch.float64)[place % 2])


def _check(solution: Any, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    rows = torch.randn(4, 3, dtype=dtype, generator=generator).requires_grad_()
    others = torch.randn(4, 3, dtype=dtype, generator=generator)
    value = solution.loss(rows, others, temperature=0.5)
    close(solution.loss(rows, others), value, what="loss")
    close(value, float(value), rtol=1e-5)
    observed = solution.loss.run(rows, others, temperature=0.5, backward=True)
    close(observed.gradient(rows), observed.gradient(rows), what="gradient")
    ensure(math.isfinite(float(observed.value)) and not observed.changed(rows), "the rehearsal failed")
    ensure(not observed.shares_storage(others), "the rehearsal failed")
    for broken in (rows[0], others[:2], rows.detach() * math.nan, rows.long()):
        solution.loss.refuses(broken, others)
    solution.loss.refuses(rows, others, temperature=0.0)
    queue, pointer = solution.pair(torch.zeros(6, 3, dtype=dtype), others, 4)
    equal(queue[4], others[0], what="row")
    equal(pointer, 2)
    solution.pair.run(queue, others, 1)
    first, second = solution.build(3), solution.build(3)
    first.parameters(), first.buffers()
    first.assign({"scale": torch.ones(3)})
    first.run(others.float().requires_grad_(), backward=torch.ones(4, 3))
    solution.update(first, second, momentum=0.5)
    solution.experiment(steps=2)
