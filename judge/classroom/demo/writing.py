"""The story in the database: rows by the hundred thousand, as they would be if workers had written them."""

import dataclasses
import datetime
import itertools
import json
import random
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, models, transaction

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem, Progress
from judge.catalog.package import version_of
from judge.classroom.demo.pool import Entry, ProblemPool
from judge.classroom.demo.story import Run
from judge.submissions.models import CheckResult, Diagnosis, Standing, State, Submission
from judge.submissions.standings import CountedRun, Plans, Tally
from sandbox.protocol import Verdict

AT_ONCE = 40
"""Learners' histories in one transaction."""
FAULTS = 0.004
"""Share of the runs that failed through no fault of the learner."""
_FAULT = "The sandbox can't be used: no answer from its socket within 5 s."


@dataclasses.dataclass(frozen=True)
class Judged:
    """A problem as it was judged at a time: the version and its results."""

    version: PackageVersion
    checks: Sequence[str]
    entries: Mapping[str, Entry]

    @classmethod
    def by(cls, version: PackageVersion, planned: Sequence[Mapping[str, Any]], entries: Iterable[Entry]) -> "Judged":
        named = {entry.name: entry for entry in entries}
        return cls(version, [check["id"] for check in planned], named)

    def key(self, entry: Entry) -> str:
        """Names the results of an entry by this version in `_Results`."""
        return f"{self.version.pk} {entry.name}"


@dataclasses.dataclass
class Ages:
    """An older version, until a moment, then the current one."""

    problem: Problem
    until: datetime.datetime
    older: Judged
    current: Judged

    @property
    def plans(self) -> Plans:
        return {judged.version.pk: list(judged.checks) for judged in (self.older, self.current)}

    def at(self, moment: datetime.datetime) -> Judged:
        return self.older if moment < self.until else self.current


def write(histories: Iterator[list[Run]], people: Sequence[User], ages: Mapping[str, Ages], rng: random.Random) -> int:
    """Stores everything; returns how many submissions that were."""
    written = 0
    results = _Results(judged for age in ages.values() for judged in (age.older, age.current))
    while chunk := list(itertools.islice(histories, AT_ONCE)):
        with transaction.atomic():
            written += _Chunk(people, ages, results, rng).write(chunk)
    return written


class _Results:
    """The results of all entries in a table of this connection, from which the database copies them for each run.

    Millions of rows never pass through Python.
    """

    _COLUMNS = ("order", "check_id", "status", "message", "hint", "details", "printed", "ms")

    def __init__(self, judged: Iterable[Judged]) -> None:
        self._names = ", ".join(connection.ops.quote_name(column) for column in self._COLUMNS)
        self._table = connection.ops.quote_name(CheckResult._meta.db_table)
        rows = {
            (each.key(entry), *_row(values))
            for each in judged
            for entry in each.entries.values()
            for values in entry.checks
        }
        places = ", ".join(["%s"] * (len(self._COLUMNS) + 1))
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA cache_size = -400000")  # random keys go into every part of their indexes
            cursor.execute("DROP TABLE IF EXISTS demo_results")
            columns = f"SELECT check_id AS entry, {self._names} FROM {self._table} WHERE 1 = 0"
            cursor.execute(f"CREATE TEMPORARY TABLE demo_results AS {columns}")
            cursor.executemany(f"INSERT INTO demo_results VALUES ({places})", sorted(rows))
            cursor.execute("CREATE INDEX demo_results_by_entry ON demo_results (entry)")

    def copy(self, wanted: Sequence[tuple[str, str]]) -> None:
        """For each pair of a submission's key and an entry's."""
        into = f"INSERT INTO {self._table} (submission_id, {self._names})"
        with connection.cursor() as cursor:
            cursor.executemany(f"{into} SELECT %s, {self._names} FROM demo_results WHERE entry = %s", wanted)


class _Chunk:
    def __init__(self, people: Sequence[User], ages: Mapping[str, Ages], results: _Results, rng: random.Random) -> None:
        self._people, self._ages, self._results, self._rng = people, ages, results, rng
        self._submissions: list[Submission] = []
        self._diagnoses: list[Diagnosis] = []
        self._checks: list[tuple[str, str]] = []
        self._standings: list[Standing] = []
        self._progress: list[Progress] = []

    def write(self, histories: Iterable[list[Run]]) -> int:
        for runs in histories:
            self._tell(runs)
        _insert(Submission, [_values(submission) for submission in self._submissions])
        self._results.copy(self._checks)
        Diagnosis.objects.bulk_create(self._diagnoses, batch_size=500)
        Standing.objects.bulk_create(self._standings, batch_size=500)
        Progress.objects.bulk_create(self._progress, batch_size=500)
        return len(self._submissions)

    def _tell(self, runs: list[Run]) -> None:
        ages = self._ages[runs[0].pool.package.slug]
        user = self._people[runs[0].learner]
        tally, plans = Tally(), ages.plans
        counted: list[Submission] = []
        for run in runs:
            judged = ages.at(run.at)
            entry = judged.entries[run.entry.name]
            submission = self._submission(run, user, ages.problem, judged, entry)
            self._submissions.append(submission)
            if submission.verdict == Verdict.JUDGE_ERROR:
                continue
            self._add_results(submission, judged, entry)
            counted.append(submission)
            diagnoses = [(diagnosis.mistake, diagnosis.checks) for diagnosis in entry.diagnoses]
            counted_run = CountedRun(run.number, entry.is_accepted, judged.version.pk, submission.outcomes, diagnoses)
            tally.add(counted_run, plans)
        if counted:
            self._stand(counted, tally)

    def _submission(self, run: Run, user: User, problem: Problem, judged: Judged, entry: Entry) -> Submission:
        waited = self._rng.expovariate(1 / 0.3)
        ms = 40 + self._rng.lognormvariate(4.2, 0.4) if entry.run["total"] != entry.run["not_run"] else 30.0
        started = run.at + datetime.timedelta(seconds=waited)
        finished = started + datetime.timedelta(milliseconds=ms)
        common: dict[str, Any] = {
            "id": uuid.UUID(int=self._rng.getrandbits(128), version=4),
            "user": user,
            "problem": problem,
            "version": judged.version,
            "number": run.number,
            "source": run.source,
            "created_at": run.at,
            "due_at": run.at,
            "rung_at": run.at,
            "state": State.FINISHED,
            "worker": f"judge-{self._rng.randint(1, 2)}:{4100}",
            "diagnosed": True,
            "alive_at": finished,
            "started_at": started,
            "finished_at": finished,
        }
        if self._rng.random() < FAULTS:
            reference = f"{self._rng.getrandbits(32):08x}"
            fault = {"faults": 3, "broken": 3, "fault": _FAULT, "reference": reference, "attempt": 3}
            return Submission(**common | fault | {"verdict": Verdict.JUDGE_ERROR, "started_at": None})
        values = {**entry.run, "ms": round(ms, 1)}
        return Submission(**common, **values, attempt=1, pattern=entry.pattern)

    def _add_results(self, submission: Submission, judged: Judged, entry: Entry) -> None:
        key = Submission._meta.pk.get_db_prep_value(submission.pk, connection)
        self._checks.append((key, judged.key(entry)))
        self._diagnoses += [
            Diagnosis(submission=submission, order=order, **dataclasses.asdict(diagnosis))
            for order, diagnosis in enumerate(entry.diagnoses)
        ]

    def _stand(self, counted: Sequence[Submission], tally: Tally) -> None:
        first, latest = counted[0], counted[-1]
        who: dict[str, Any] = {"user": first.user, "problem": first.problem}
        place: dict[str, Any] = {"first": first, "latest": latest, "latest_at": latest.created_at}
        values = dataclasses.asdict(tally)
        self._standings.append(Standing(**who, **place, version_id=values.pop("version"), **values))
        accepted = (submission for submission in counted if submission.verdict == Verdict.ACCEPTED)
        solved = [submission.finished_at for submission in accepted if submission.finished_at is not None]
        self._progress.append(Progress(**who, solved_at=min(solved, default=None)))


def older_version(pool: ProblemPool, problem: Problem, moment: datetime.datetime) -> Judged | None:
    """The version before: it lacked one check, so that some were accepted who should not have been."""
    lacking = pool.single_check
    assert problem.current is not None
    if not lacking:
        return None
    planned = [check for check in pool.planned if check["id"] != lacking]
    required = frozenset(check["id"] for check in planned if check["required"])
    package = pool.package
    files = {
        **package.files,
        "statement.md": package.statement + f"\n<!-- before the check {lacking} was added -->\n",
    }
    version, _ = PackageVersion.objects.get_or_create(
        problem=problem,
        version=version_of(files),
        defaults={"files": files, "planned": planned, "created_at": moment, "origin": problem.current.origin},
    )
    return Judged.by(version, planned, [entry.without(lacking, required) for entry in pool.entries])


def _row(values: Mapping[str, Any]) -> tuple[Any, ...]:
    details = None if values["details"] is None else json.dumps(values["details"])
    texts = (values[name] for name in ("order", "check_id", "status", "message", "hint"))
    return (*texts, details, values["printed"], round(0.4 + values["order"] % 7 * 0.3, 1))


def _values(instance: models.Model) -> tuple[Any, ...]:
    return tuple(
        field.get_db_prep_save(getattr(instance, field.attname), connection) for field in instance._meta.concrete_fields
    )


def _insert(model: type[models.Model], rows: Sequence[tuple[Any, ...]]) -> None:
    """Inserts rows of all columns in their order; one prepared statement, where `bulk_create` would build each."""
    columns = [field.column for field in model._meta.concrete_fields]
    quoted = ", ".join(connection.ops.quote_name(column) for column in columns if column)
    places = ", ".join(["%s"] * len(columns))
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({quoted}) VALUES ({places})", rows)
