"""The training run with the submission's functions, against the judge's own trajectory."""

from sandbox.checks import Trajectory, check, close, ensure, equal, fail
from trajectory import STATES, STEPS

NAMES = {
    "loss": "loss",
    "query_encoder": "query encoder",
    "key_encoder": "key encoder",
    "dictionary": "dictionary",
    "pointer": "pointer",
}
"""In the order in which a step makes them, so that the first difference is the cause and not a consequence."""

RUN = Trajectory(STATES, NAMES)


def series(result, name, length):
    """One list of the experiment's result."""
    values = result.get(name) if isinstance(result, dict) else None
    if not isinstance(values, list) or len(values) != length:
        fail(f"The experiment did not return {length} values of {name.replace('_', ' ')}.")
    return values


@check(
    "One training step",
    section="experiment",
    sentence="experiment-states",
    hint="The first state that differs names the function to look at: the loss and the query encoder come from `moco_loss` (its value and "
    "its gradient), the key encoder from `momentum_update`, the dictionary and the pointer from `enqueue`.",
)
def test_experiment_first_step(solution):
    RUN.follow(solution, steps=1)


@check(
    "Twelve training steps",
    section="experiment",
    sentence="experiment-states",
    hint="If the first step is right and a later one is not, ask what is new there: the pointer has gone around (from step 3 on), or the "
    "dictionary holds keys that your own `enqueue` wrote.",
)
def test_experiment_trajectory(solution):
    RUN.follow(solution, steps=STEPS)


@check(
    "Nothing reaches the key encoder by gradients",
    section="experiment",
    sentence="experiment-detached",
    hint="In the experiment the keys are made by an encoder that asks for gradients. After `loss.backward()` it must have none: detach the keys in "
    "the loss, and detach what goes into the dictionary.",
)
def test_experiment_key_gradient(solution):
    leaks = series(solution.experiment(steps=1), "key_gradient", 1)
    for step, leaked in enumerate(leaks, start=1):
        ensure(
            type(leaked) is float and leaked == 0.0,
            f"step {step}: a gradient of up to {leaked} reached the key encoder; none must.",
        )


@check(
    "Results are not overwritten by later calls",
    section="experiment",
    sentence="experiment-kept",
    hint="The key encoder and the dictionary of each step are looked at again when the run is over. If one has changed, a later call wrote into memory "
    "that an earlier call had given away: a buffer outside the function, or the argument itself.",
)
def test_experiment_results_kept(solution):
    result = solution.experiment(steps=2)
    overwritten = result.get("overwritten") if isinstance(result, dict) else None
    ensure(overwritten == [], f"A later call changed {_listed(overwritten)}.")


@check(
    "The experiment can be repeated",
    section="experiment",
    sentence="experiment-repeatable",
    hint="Two runs from the same start must agree in every state. If they do not, something survives from the first run: a global, a cached "
    "tensor, or an argument that was changed in place.",
)
def test_experiment_repeatable(solution):
    first, second = solution.experiment(steps=2), solution.experiment(steps=2)
    for name in NAMES:
        length = 2 if name == "loss" else 3
        for step, (one, other) in enumerate(
            zip(series(first, name, length), series(second, name, length), strict=True)
        ):
            step += name == "loss"
            what, where = NAMES[name], f"second run, step {step}"
            if name == "pointer":
                equal(other, one, what=what, where=where)
            else:
                close(other, one, what=what, where=where)


def _listed(names):
    return ", ".join(map(str, names)) if isinstance(names, list) else "the experiment's own record"
