"""The training runs with the submission's functions, against the judge's own trajectories."""

from sandbox.checks import Trajectory, check, close, fail
from trajectory import LARGE, SMALL, STATES

NAMES = {"loss": "loss", "encoder": "encoder", "similarities": "similarities", "accuracy": "accuracy"}
"""In the order in which a step makes them, so that the first difference is the cause and not a consequence."""

RUNS = {batch: Trajectory(states, NAMES) for batch, states in STATES.items()}


def series(result, name, steps):
    """One list of the experiment's result."""
    length = steps if name == "loss" else steps + 1
    values = result.get(name) if isinstance(result, dict) else None
    if not isinstance(values, list) or len(values) != length:
        fail(f"The experiment did not return {length} values of {name}.")
    return values


@check(
    "One training step",
    section="experiment",
    sentence="experiment-states",
    hint="The first state that differs names the function to look at: the loss and the encoder come from `nt_xent_loss` (its value and its gradients), the other two "
    "from the functions that are named like them.",
)
def test_experiment_first_step(solution):
    RUNS[SMALL].follow(solution, batch=SMALL, steps=1)


@check(
    "Twelve steps with batches of two",
    section="experiment",
    sentence="experiment-states",
    hint="If the first step is right and a later one is not, ask what is new there: other samples, or an encoder that your own gradients moved.",
)
def test_experiment_small_batch(solution):
    RUNS[SMALL].follow(solution, batch=SMALL)


@check(
    "Four steps with all six samples",
    section="experiment",
    sentence="experiment-states",
    hint="Each anchor has ten negatives here instead of two. If the small batch is right and this one is not, count the candidates: their number depends on `N`.",
)
def test_experiment_large_batch(solution):
    RUNS[LARGE].follow(solution, batch=LARGE)


@check(
    "The experiment can be repeated",
    section="experiment",
    sentence="experiment-repeatable",
    hint="Two runs from the same start must agree in every state. If they do not, something survives from the first run: a global, a cached mask, or an argument that was "
    "changed in place.",
)
def test_experiment_repeatable(solution):
    first, second = (solution.experiment(batch=SMALL, steps=2) for _ in range(2))
    for name in NAMES:
        pairs = zip(series(first, name, 2), series(second, name, 2), strict=True)
        for step, (one, other) in enumerate(pairs, start=name == "loss"):
            close(other, one, what=name, where=f"second run, step {step}")
