"""What the trainer of the circle and sphere labs must compute, from the judge's own oracle of the contrastive loss.

    .venv/bin/python -m problems.tests.lab_figures

writes `frontend/tests/labs/trainer.json`, which the tests of the front end read, and `test_labs.py` computes again.
Only the rules of one step and the random numbers are written twice. The loss comes from
`problems/moco/checks/oracle.py`, and so does the direction of a step: it is the finite-difference gradient of that
loss, where the front end has a formula.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "frontend" / "tests" / "labs" / "trainer.json"
CLASSES = 6
SHOWN = (1, 2, 3, 10, 50, 100, 200, 300, 400, 500)
RUNS: tuple[dict[str, Any], ...] = (
    {"dimension": 2, "seed": 1, "tau": 0.2, "m": 0.99, "k": 64, "eta": 0.25},
    {"dimension": 3, "seed": 1, "tau": 0.2, "m": 0.99, "k": 64, "eta": 0.25},
    {"dimension": 2, "seed": 12345, "tau": 0.07, "m": 0.5, "k": 5, "eta": 0.05},
    {"dimension": 3, "seed": 999999, "tau": 1.0, "m": 1.0, "k": 16, "eta": 1.0},
    {"dimension": 3, "seed": 0, "tau": 0.2, "m": 0.0, "k": 1, "eta": 0.0},
)


def _oracle() -> ModuleType:
    path = ROOT / "problems" / "moco" / "checks" / "oracle.py"
    spec = importlib.util.spec_from_file_location("moco_oracle", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def uniform(seed: int) -> Iterator[float]:
    """The generator "mulberry32"."""
    mask = 0xFFFFFFFF
    state = seed & mask
    while True:
        state = (state + 0x6D2B79F5) & mask
        mixed = ((state ^ (state >> 15)) * (state | 1)) & mask
        mixed ^= (mixed + ((mixed ^ (mixed >> 7)) * (mixed | 61) & mask)) & mask
        yield ((mixed ^ (mixed >> 14)) & mask) / 2**32


def place(numbers: Iterator[float], dimension: int) -> list[float]:
    """A random point of the circle or the sphere."""
    angle = 2 * math.pi * next(numbers)
    if dimension == 2:
        return [math.cos(angle), math.sin(angle)]
    height = 2 * next(numbers) - 1
    width = math.sqrt(1 - height * height)
    return [width * math.cos(angle), width * math.sin(angle), height]


def trajectory(
    *, dimension: int, seed: int, tau: float, m: float, k: int, eta: float, steps: int = SHOWN[-1]
) -> dict[str, Any]:
    """What one run shows at the steps `SHOWN`, and where everything is at its end."""
    oracle = _oracle()
    numbers = uniform(seed)
    places = [place(numbers, dimension) for _ in range(2 * CLASSES)]
    queries, keys = places[0::2], places[1::2]
    queue: list[tuple[int, list[float]]] = []
    shown = []
    for step in range(1, steps + 1):
        anchor = int(next(numbers) * CLASSES)
        negatives = [key for _, key in queue]
        similarities = [oracle.dot(queries[anchor], key) for key in negatives]
        record = {
            "step": step,
            "anchor": anchor,
            "loss": oracle.row_loss(queries[anchor], keys[anchor], negatives, tau) if negatives else 0.0,
            "positive": oracle.dot(queries[anchor], keys[anchor]),
            "negative": math.fsum(similarities) / len(similarities) if similarities else None,
            "negatives": len(negatives),
            "falseNegatives": sum(label == anchor for label, _ in queue),
        }
        if negatives and eta:
            [gradient] = oracle.loss_gradient([queries[anchor]], [keys[anchor]], negatives, tau)
            moved = [value - eta * tau * slope for value, slope in zip(queries[anchor], gradient, strict=True)]
            queries[anchor] = oracle.unit(moved)
        [blended] = oracle.blend([queries[anchor]], [keys[anchor]], m)
        keys[anchor] = oracle.unit(blended)
        queue = [*queue, (anchor, keys[anchor])][-k:]
        if step in SHOWN:
            shown.append({**record, "query": queries[anchor], "key": keys[anchor]})
    labels = [label for label, _ in reversed(queue)]
    return {"shown": shown, "queries": queries, "keys": keys, "labels": labels}


def figures() -> list[dict[str, Any]]:
    return [{**run, **trajectory(**run)} for run in RUNS]


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(figures(), indent=1) + "\n", encoding="utf-8")
