"""The figures in the notes on Momentum Contrast: each computed here, and found in the text by `test_guide.py`.

They come from closed forms and from the package itself: its reference, and its experiment with one line moved. Nothing
in the notes that could be computed is quoted from memory.
"""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import torch
from torch import Tensor

MOCO = Path(__file__).resolve().parents[1] / "moco"
NOTES = MOCO / "notes"


def load(name: str) -> ModuleType:
    """A module of the package by its file."""
    spec = importlib.util.spec_from_file_location(f"moco_{name}", MOCO / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


METHOD, EXPERIMENT = load("reference"), load("experiment")
ORDERS = ("own", "enqueue first", "encode again", "average first", "average before SGD")


def train(order: str = "own", steps: int = 12, momentum: float = 0.8) -> tuple[list[float], list[Tensor], Tensor]:
    """The experiment with one event of a step moved: losses, key encoders, and the last dictionary."""
    tensor = EXPERIMENT.tensor
    views_a, views_b = tensor(EXPERIMENT.VIEWS_A), tensor(EXPERIMENT.VIEWS_B)
    query_encoder, key_encoder = tensor(EXPERIMENT.ENCODER), tensor(EXPERIMENT.ENCODER)
    dictionary, pointer = tensor(EXPERIMENT.DICTIONARY), 0
    losses, encoders = [], [key_encoder]
    for step in range(steps):
        rows = [(2 * step + offset) % 6 for offset in range(2)]
        query_encoder.requires_grad_()
        if order == "average first":
            key_encoder = METHOD.momentum_update(query_encoder, key_encoder, momentum)
        queries, keys = views_a[rows] @ query_encoder, views_b[rows] @ key_encoder
        if order == "enqueue first":
            dictionary, pointer = METHOD.enqueue(dictionary, keys, pointer)
        loss = METHOD.moco_loss(queries, keys, dictionary, temperature=EXPERIMENT.TEMPERATURE)
        (gradient,) = torch.autograd.grad(loss, query_encoder)
        losses.append(float(loss.detach()))
        if order == "average before SGD":
            key_encoder = METHOD.momentum_update(query_encoder, key_encoder, momentum)
        query_encoder = (query_encoder - EXPERIMENT.LEARNING_RATE * gradient).detach()
        if order in ("own", "enqueue first", "encode again"):
            key_encoder = METHOD.momentum_update(query_encoder, key_encoder, momentum)
        if order == "encode again":
            keys = views_b[rows] @ key_encoder
        if order != "enqueue first":
            dictionary, pointer = METHOD.enqueue(dictionary, keys, pointer)
        encoders.append(key_encoder)
    return losses, encoders, dictionary


def turned(momentum: float, steps: int) -> float:
    """Degrees between the key that a view has at the start and after so many steps: the mean over the six samples."""
    views = EXPERIMENT.tensor(EXPERIMENT.VIEWS_B)
    encoders = train("own", steps, momentum)[1]
    cosines = torch.nn.functional.cosine_similarity(views @ encoders[0], views @ encoders[-1], dim=1)
    return float(torch.rad2deg(torch.arccos(cosines.clamp(-1, 1))).mean())


def loss_of(negatives: int, positive: float, negative: float, temperature: float) -> float:
    """The loss of a query whose negatives all are equally similar to it."""
    return math.log1p(negatives * math.exp((negative - positive) / temperature))


def jitter(momentum: float, steps: int) -> float:
    """How far two keys of this age apart differ if the query encoder trembles by 1, independently in every step."""
    if momentum == 0:
        return math.sqrt(2)
    return math.sqrt(2 * (1 - momentum) / (1 + momentum) * (1 - momentum**steps))


def noise_loss(negatives: int, positive: float, dimension: int, temperature: float) -> float:
    """The loss against random unit vectors: their similarities are about normal with the variance 1 / dimension."""
    return math.log1p(negatives * math.exp(0.5 / dimension / temperature**2 - positive / temperature))


def figures() -> dict[str, list[str]]:
    """Note -> passages that must stand in it, with the computed figures."""
    full = 65_536
    own, first = train()[0], train("enqueue first")[0]
    again, later = train("encode again"), train("average before SGD")[0]
    own_dictionary = train("own", 1)[2]
    again_dictionary = train("encode again", 1)[2]
    average_first = train("average first")[0]
    same = max(abs(a - b) for a, b in zip(own, average_first, strict=True))
    return {
        "01-negatives.md": [
            *(f"| {k} |" for k in (1, 64, 4096)),
            *(f"{loss_of(k, 0.8, 0.0, 0.2):.3g}" for k in (1, 64, 4096, full)),
            *(f"{math.log(k + 1):.3g}" for k in (1, 64, 4096, full)),
            f"{2 * (4096 - 1)} negatives",
            f"{2 * (256 - 1)} negatives",
            f"{loss_of(1, 0.8, 0.7, 0.2):.2f}",
            f"as much as {math.exp(0.7 / 0.2):.0f} of those",
        ],
        "02-queue.md": [
            f"{full * 128 * 4 / 1e6:.1f} MB",
            f"{full // 256} steps",
            f"{full // 2 + 1:,}".replace(",", r"\,"),
            " → ".join(str(2 * step % 5) for step in range(6)),
        ],
        "03-momentum.md": [
            *(f"{0.999**n:.1%}".replace("%", " %") for n in (100, 1000)),
            *(f"{1 - 0.999**n:.1%}".replace("%", " %") for n in (100, 1000)),
            *(f"{turned(m, n):.1f}°" for m in (0.0, 0.999) for n in (100, 1000)),
            *(f"{jitter(m, n):.3g}" for m in (0.0, 0.999) for n in (100, 1000)),
            f"= {0.999 / (1 - 0.999):.0f}$ steps behind",
            f"{math.log(0.5) / math.log(0.999):.0f} steps",
            f"{0.999**256:.3f}",
            f"{0.9**256 * 1e12:.0f} \\cdot 10^{{-12}}",
        ],
        "04-one-step.md": [
            f"{own[0]:.4f}",
            f"{first[0]:.4f}",
            f"{sum(own) / 12:.3f}",
            f"{sum(first) / 12:.3f}",
            f"{float((own_dictionary - again_dictionary).abs().max()):.4f}",
            f"{max(abs(a - b) for a, b in zip(own, again[0], strict=True)):.4f}",
            f"{max(abs(a - b) for a, b in zip(own, later, strict=True)):.4f}",
        ],
        "06-simclr-or-moco.md": [f"{2 * (256 - 1)}", f"{2 * 3}", f"{3 + 1}"],
        "07-assumptions.md": [f"{full / 1000:.0f}", f"{math.log(full + 1):.1f}"],
        "08-beyond.md": [
            *(f"{own[step]:.3f}" for step in (0, 2, 4)),
            f"{noise_loss(full, 0.9, 128, 0.07):.2f}",
            f"{math.log(full + 1):.2f}",
            f"{1 / math.sqrt(128):.3f}",
            "no digit" if same < 1e-15 else f"{same}",
        ],
    }


if __name__ == "__main__":
    for note, passages in figures().items():
        print(note, passages)
