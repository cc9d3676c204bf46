"""Who hands in what, and when."""

import dataclasses
import datetime
import itertools
import random
from collections.abc import Iterator, Sequence

from judge.classroom.demo.pool import Entry, ProblemPool

_GIVEN = """ada amir ana bea ben bo carla chen clara dara david dina elif emma eva farid femi finn gita hana hugo ida
ines ivan jana jonas jun kai kira lars lea lena liam lina luca maja marta mei mila mona nadia nils noor nora olga omar
oskar paula pia rafa rana rosa ruben sami sara sofia sven tara theo tim tove uma vera victor yara yusuf zoe""".split()
_FAMILY = """abe adler aksoy amari bakker bauer berg blum bos brandt castro costa dahl diaz dubois egger engel erdem
fischer fontana garcia gruber haas hansen horn ito jansen kaya keller khan kim klein kovac kraus lang larsen lee lopez
maier marin meyer mori moreau nagy novak okafor olsen ortiz park petrov popa quist rao reed rossi roth sato silva simon
smit sousa stein tanaka vega vogel wagner weber wolf yilmaz zhou""".split()
_REMARKS = (
    "the shapes now",
    "check the axis again",
    "sign?",
    "as in the paper, equation 1",
    "works on my example",
    "normalize first",
    "try it with one row",
    "without the loop",
    "read the statement again",
    "edge case",
    "is this the right order?",
    "clean up",
)
ABANDONED, STUCK = 0.10, 0.14
"""Shares of the learners who leave a problem unsolved: by giving up, and by failing the same way again and again."""
HARDLY = 0.5
"""Share of passed checks below which a file counts as hardly written."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One submission of a learner to a problem."""

    learner: int
    pool: ProblemPool
    entry: Entry
    number: int
    source: str
    at: datetime.datetime


def names(count: int) -> list[str]:
    """`count` different user names."""
    pairs = [f"{given}.{family}" for family, given in itertools.product(_FAMILY, _GIVEN)]
    random.Random(0).shuffle(pairs)
    return [
        pairs[place % len(pairs)] + ("" if place < len(pairs) else str(place // len(pairs))) for place in range(count)
    ]


def tell(
    pools: Sequence[ProblemPool], learners: int, submissions: int, end: datetime.datetime, days: int, rng: random.Random
) -> Iterator[list[Run]]:
    """For each learner and problem that they tried, their runs in order; `submissions` in all."""
    pairs = [
        (learner, place)
        for learner in range(learners)
        for place in range(len(pools))
        if place == 0 or rng.random() < 0.86
    ]
    weights = [rng.lognormvariate(0.0, 0.6) for _ in pairs]
    counts = _shared_out(submissions, weights)
    plans = [_Plan(pool, rng) for pool in pools]
    for (learner, place), count in zip(pairs, counts, strict=True):
        if count:
            due = end - datetime.timedelta(days=days * (len(pools) - 1 - place) / max(len(pools), 1), hours=2)
            yield _runs_of(learner, plans[place], count, due, rng)


class _Plan:
    """A problem, and how common each of its wrong texts is."""

    def __init__(self, pool: ProblemPool, rng: random.Random) -> None:
        self.pool = pool
        self.wrong = pool.wrong
        ranks = list(range(1, len(self.wrong) + 1))
        rng.shuffle(ranks)
        # Nobody stays long with a file that is hardly written, or does not even load.
        self.weights = [
            (0.2 if entry.progress < HARDLY else 1.0) / rank**0.9 for rank, entry in zip(ranks, self.wrong, strict=True)
        ]


def _shared_out(total: int, weights: Sequence[float]) -> list[int]:
    """`total` as whole numbers in proportion to `weights`."""
    whole, before, counts = sum(weights), 0, []
    for reached in itertools.accumulate(weights):
        upto = round(total * reached / whole)
        counts.append(upto - before)
        before = upto
    return counts


def _runs_of(learner: int, plan: _Plan, count: int, due: datetime.datetime, rng: random.Random) -> list[Run]:
    entries = _entries(plan, count, rng)
    runs = []
    for number, (entry, at) in enumerate(zip(entries, _times(count, due, rng), strict=True), start=1):
        source = f"# {rng.choice(_REMARKS)} ({number})\n{entry.source}" if rng.random() < 0.8 else entry.source
        runs.append(Run(learner, plan.pool, entry, number, source, at))
    return runs


def _entries(plan: _Plan, count: int, rng: random.Random) -> list[Entry]:
    """What somebody hands in: mistakes of their own, each for some runs, and always less of them."""
    different = min(count, rng.randint(2, 7))
    chosen = rng.choices(range(len(plan.wrong)), plan.weights, k=different)
    if rng.random() < 0.3:
        chosen[0] = 0
    own = [plan.wrong[place] for place in sorted(chosen)]
    fate = rng.random()
    if fate < ABANDONED:
        own = own[: max(1, different // 2)]
    cuts = sorted(rng.random() for _ in own[1:])
    if own[0].progress < HARDLY and cuts:
        cuts[0] = min(cuts[0], 2.0 / count)
    spread = [sum(cut < (step + 0.5) / count for cut in cuts) for step in range(count)]
    entries = [own[place] for place in spread]
    if fate >= ABANDONED + STUCK:
        last = max(1, min(count, int(rng.paretovariate(1.6)))) if count > 1 or rng.random() < 0.3 else 0
        right = rng.choice(plan.pool.right)
        entries[count - last :] = [right] * last
    return entries


def _times(count: int, due: datetime.datetime, rng: random.Random) -> list[datetime.datetime]:
    """In sessions of an evening, most of them shortly before the problem is due."""
    sessions = 1 + count // 12
    starts = sorted(_evening(due - datetime.timedelta(days=rng.expovariate(0.45)), due, rng) for _ in range(sessions))
    times = []
    for number, start in enumerate(starts):
        at = start
        for _ in range(number, count, sessions):
            at += datetime.timedelta(seconds=40 + rng.expovariate(1 / 260))
            times.append(at)
    return sorted(times)


def _evening(day: datetime.datetime, due: datetime.datetime, rng: random.Random) -> datetime.datetime:
    hour = min(23.5, max(7.0, rng.gauss(19.0, 3.0)))
    moment = day.replace(hour=int(hour), minute=rng.randrange(60), second=rng.randrange(60), microsecond=0)
    return min(moment, due - datetime.timedelta(minutes=rng.randrange(30, 300)))
