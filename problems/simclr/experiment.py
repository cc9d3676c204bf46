"""The supplied run: the same very small SimCLR trained with small batches and with a large one, on the CPU.

Six samples, each seen in two fixed views of four numbers. The encoder is one 4x3 linear map, so the whole model has
twelve trainable scalars. Both views go through the same encoder, and both carry gradients.

`run(solution, batch=2)` takes two samples a step, `run(solution, batch=6)` all of them. Four passes over the data are
twelve steps with the small batch and four steps with the large one. As in the paper, the learning rate grows
with the batch.

This file is shown to you as it is, and runs beside your submission. It holds no expected value.
"""

from typing import Any

import torch
from torch import Tensor

LEARNING_RATE_PER_SAMPLE = 0.05
TEMPERATURE = 0.5
PASSES = 4

# Row k of VIEWS_I and row k of VIEWS_J are two views of sample k.
VIEWS_I = [
    [0.7, -0.2, 0.4, 0.1],
    [0.6, 0.3, -0.1, 0.5],
    [-0.4, 0.9, 0.2, -0.3],
    [-0.1, -0.6, 0.8, 0.2],
    [0.2, 0.4, 0.7, -0.5],
    [-0.8, 0.1, -0.3, 0.4],
]
VIEWS_J = [
    [0.5, -0.4, 0.5, 0.3],
    [0.8, 0.1, -0.3, 0.4],
    [-0.2, 0.7, 0.4, -0.5],
    [0.2, -0.7, 0.5, 0.1],
    [0.4, 0.2, 0.5, -0.7],
    [-0.6, 0.3, -0.4, 0.2],
]
ENCODER = [
    [0.5, 0.2, -0.3],
    [0.4, -0.1, 0.6],
    [0.3, 0.4, 0.1],
    [-0.2, 0.5, 0.3],
]


def run(solution: Any, batch: int, steps: int | None = None) -> dict[str, Any]:
    """Train for `steps` steps (four passes over the data if not given) with `batch` samples in each.

    Returns every state. `loss` has one entry for each step; the others have one more, for the start. After every step
    `similarities` and `accuracy` look at all six samples, whatever the batch is.
    """
    views_i, views_j, encoder = tensor(VIEWS_I), tensor(VIEWS_J), tensor(ENCODER)
    steps = PASSES * len(VIEWS_I) // batch if steps is None else steps
    states: dict[str, Any] = {"loss": [], "encoder": [], "similarities": [], "accuracy": []}

    def record() -> None:
        states["encoder"].append(encoder.detach().clone())
        z_i, z_j = views_i @ encoder.detach(), views_j @ encoder.detach()
        states["similarities"].append(solution.similarity_matrix(z_i, z_j).detach().clone())
        states["accuracy"].append(solution.contrastive_accuracy(z_i, z_j))

    record()
    for step in range(steps):
        rows = [(step * batch + offset) % len(VIEWS_I) for offset in range(batch)]
        encoder = encoder.detach().requires_grad_()

        # 1. Both views of each sample of the batch, through one encoder.
        z_i, z_j = views_i[rows] @ encoder, views_j[rows] @ encoder

        # 2. The loss: each of the 2N representations looks for its partner among the 2N - 1 others.
        loss = solution.nt_xent_loss(z_i, z_j, temperature=TEMPERATURE)
        if loss.requires_grad:
            loss.backward()

        # 3. SGD, with a learning rate in proportion to the batch.
        gradient = encoder.grad if encoder.grad is not None else torch.zeros_like(encoder)
        encoder = encoder.detach() - LEARNING_RATE_PER_SAMPLE * batch * gradient

        states["loss"].append(loss.detach().clone())
        record()
    return states


def tensor(rows: list[list[float]]) -> Tensor:
    """The rows in double precision, so that rounding stays far below any difference that matters."""
    return torch.tensor(rows, dtype=torch.float64)
