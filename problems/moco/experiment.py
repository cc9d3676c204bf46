"""The supplied run: twelve training steps of a very small MoCo, on the CPU, with your three functions.

Six samples, each seen in two fixed views of four numbers. An encoder is one 4x3 linear map, so the whole model has
twelve trainable scalars. The key encoder starts as a copy of the query encoder; the dictionary holds five keys.

This file is shown to you as it is, and runs beside your submission. It holds no expected value.
"""

from typing import Any

import torch
from torch import Tensor

LEARNING_RATE = 0.05
MOMENTUM = 0.8
TEMPERATURE = 0.3
BATCH = 2
STEPS = 12

# Row i of VIEWS_A and row i of VIEWS_B are two views of sample i: the query is made of one, the key of the other.
VIEWS_A = [
    [0.9, 0.1, -0.3, 0.4],
    [-0.5, 0.8, 0.2, 0.1],
    [0.3, -0.7, 0.6, -0.2],
    [-0.2, -0.4, -0.8, 0.5],
    [0.6, 0.5, 0.1, -0.9],
    [-0.7, 0.2, 0.5, 0.6],
]
VIEWS_B = [
    [0.8, 0.2, -0.2, 0.5],
    [-0.6, 0.7, 0.3, -0.1],
    [0.2, -0.8, 0.5, 0.1],
    [-0.1, -0.5, -0.7, 0.3],
    [0.7, 0.3, 0.2, -0.8],
    [-0.8, 0.1, 0.3, 0.7],
]
ENCODER = [
    [0.4, -0.3, 0.2],
    [0.1, 0.5, -0.4],
    [-0.2, 0.3, 0.6],
    [0.5, 0.2, -0.1],
]
DICTIONARY = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.6, 0.8, 0.0],
    [0.0, -0.6, 0.8],
]


def run(solution: Any, steps: int = STEPS) -> dict[str, Any]:
    """Train for `steps` steps. Returns every state: lists with one entry for the start and one for each step.

    `loss` and `key_gradient` have no entry for the start; the other states have `steps + 1` entries. `overwritten`
    names the results that a later call changed.
    """
    views_a, views_b = tensor(VIEWS_A), tensor(VIEWS_B)
    query_encoder = tensor(ENCODER)
    key_encoder = tensor(ENCODER)
    dictionary, pointer = tensor(DICTIONARY), 0
    states: dict[str, Any] = {
        "loss": [],
        "key_gradient": [],
        "query_encoder": [snapshot(query_encoder)],
        "key_encoder": [snapshot(key_encoder)],
        "dictionary": [snapshot(dictionary)],
        "pointer": [pointer],
    }
    returned: list[tuple[str, Tensor, Tensor]] = []
    for step in range(steps):
        rows = [(step * BATCH + offset) % len(VIEWS_A) for offset in range(BATCH)]
        query_encoder = query_encoder.detach().requires_grad_()
        key_encoder = key_encoder.detach().requires_grad_()  # asks for a gradient only to show that none arrives

        # 1. Encode both views. These keys are cached: the loss reads them now, the dictionary takes them later.
        queries = views_a[rows] @ query_encoder
        keys = views_b[rows] @ key_encoder

        # 2. The loss, in which only the queries carry gradients.
        loss = solution.moco_loss(queries, keys, dictionary, temperature=TEMPERATURE)
        if loss.requires_grad:
            loss.backward()

        # 3. SGD moves the query encoder.
        gradient = query_encoder.grad if query_encoder.grad is not None else torch.zeros_like(query_encoder)
        query_encoder = query_encoder.detach() - LEARNING_RATE * gradient

        # 4. The key encoder follows it slowly.
        leaked = 0.0 if key_encoder.grad is None else float(key_encoder.grad.abs().max())
        key_encoder = solution.momentum_update(query_encoder, key_encoder, momentum=MOMENTUM)

        # 5. The cached keys enter the dictionary. They are not computed again with the moved encoder.
        dictionary, pointer = solution.enqueue(dictionary, keys, pointer)

        states["loss"].append(snapshot(loss))
        states["key_gradient"].append(leaked)
        states["query_encoder"].append(snapshot(query_encoder))
        states["key_encoder"].append(snapshot(key_encoder))
        states["dictionary"].append(snapshot(dictionary))
        states["pointer"].append(pointer)
        returned.append((f"the key encoder of step {step + 1}", key_encoder, states["key_encoder"][-1]))
        returned.append((f"the dictionary of step {step + 1}", dictionary, states["dictionary"][-1]))

    states["overwritten"] = [name for name, result, then in returned if not torch.equal(result, then)]
    return states


def snapshot(state: Tensor) -> Tensor:
    """The state as it is now, whatever happens to it later."""
    return state.detach().clone()


def tensor(rows: list[list[float]]) -> Tensor:
    """The rows in double precision, so that rounding stays far below any difference that matters."""
    return torch.tensor(rows, dtype=torch.float64)
