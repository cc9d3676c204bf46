"""Figures of judging, from the submissions in the database."""

import collections
import copy
import dataclasses
import datetime
import threading

from django.db.models import Count, Min, Q
from django.utils import timezone

from judge.classroom.models import RunState, VerificationRun
from judge.submissions.models import State, Submission

STAGES = ("waiting", "judging", "total")
"""From the click until the sandbox took it; from there until the verdict was stored; both."""
BOUNDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
"""Upper ends of the classes of seconds."""
_SETTLED_AFTER = datetime.timedelta(seconds=60)
"""What finished so long ago is counted once and for all: no worker still writes it."""


@dataclasses.dataclass(frozen=True)
class Queue:
    waiting: int
    running: int
    oldest_seconds: float
    """How long the oldest has waited that could be judged now; 0 if none waits."""

    @classmethod
    def now(cls) -> "Queue":
        moment = timezone.now()
        waiting = Submission.objects.filter(state=State.QUEUED)
        due = waiting.filter(due_at__lte=moment).aggregate(oldest=Min("created_at"))["oldest"]
        return cls(
            waiting=waiting.count(),
            running=Submission.objects.filter(state=State.RUNNING).count(),
            oldest_seconds=max(0.0, (moment - due).total_seconds()) if due else 0.0,
        )


@dataclasses.dataclass(frozen=True)
class Verifications:
    by_state: dict[str, int]
    """How many there are in each state that a verification has."""
    oldest_seconds: float
    """How long the oldest has waited; 0 if none waits."""

    @classmethod
    def now(cls) -> "Verifications":
        counted = VerificationRun.objects.order_by().values_list("state").annotate(Count("pk"))
        oldest = VerificationRun.objects.filter(state=RunState.QUEUED).aggregate(oldest=Min("created_at"))["oldest"]
        return cls(
            by_state={**dict.fromkeys(RunState.values, 0), **dict(counted)},
            oldest_seconds=max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0,
        )


class Classes:
    """How many durations fell into which class."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        place = next((place for place, bound in enumerate(BOUNDS) if seconds <= bound), len(BOUNDS))
        self.counts[place] += 1
        self.sum += seconds


class Judgements:
    """What became of all finished submissions so far."""

    def __init__(self) -> None:
        self.verdicts: collections.Counter[str] = collections.Counter()
        self.retries = 0
        self.stages = {stage: Classes() for stage in STAGES}

    def add(self, rows: "collections.abc.Iterable[_Row]") -> None:
        for verdict, attempt, created, started, finished in rows:
            self.verdicts[verdict] += 1
            self.retries += max(0, attempt - 1)
            if started and finished:
                self.stages["waiting"].add((started - created).total_seconds())
                self.stages["judging"].add((finished - started).total_seconds())
                self.stages["total"].add((finished - created).total_seconds())


_Row = tuple[str, int, datetime.datetime, datetime.datetime | None, datetime.datetime | None]


class Counted:
    """Counts every finished submission, but reads each only once after it has settled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._settled = Judgements()
        self._until: datetime.datetime | None = None

    def now(self) -> Judgements:
        with self._lock:
            horizon = timezone.now() - _SETTLED_AFTER
            since = Q(finished_at__gt=self._until) if self._until else Q()
            self._settled.add(_rows(since & Q(finished_at__lte=horizon)))
            self._until = horizon
            judgements = copy.deepcopy(self._settled)
        judgements.add(_rows(Q(finished_at__gt=horizon)))
        return judgements


def _rows(condition: Q) -> "collections.abc.Iterable[_Row]":
    finished = Submission.objects.filter(condition, state=State.FINISHED)
    fields = ("verdict", "attempt", "created_at", "started_at", "finished_at")
    return finished.values_list(*fields).iterator(chunk_size=2000)
