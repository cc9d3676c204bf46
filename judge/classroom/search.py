"""Finding submissions: what can be asked for, and pages of what was found.

A page is found by the place of its first or last row in the order, never by counting what stands before it: the last
page costs what the first costs.
"""

import dataclasses
import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Exists,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast, Substr

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem
from judge.submissions.models import CheckResult, Diagnosis, Standing, State, Submission
from judge.submissions.outcomes import FAILED, NOT_RUN, PASSED, UNWRITTEN
from judge.submissions.standings import STUCK_AFTER
from sandbox.protocol import Verdict

A_PAGE = 50
COUNTED = 1000
"""It is counted so far: more is "more than 1,000"."""
UNEXPLAINED = "none"
"""In place of a mistake: failures that no known mistake explains."""
_MOST_NAMES = 200
_OUTCOMES = {
    "failed": ("failed", frozenset(FAILED)),
    "wrong_value": ("wrong value", frozenset("f")),
    "raised": ("raised an error", frozenset("e")),
    "stopped": ("stopped", frozenset(FAILED - {"f", "e"})),
    "not_reached": ("not reached", frozenset((NOT_RUN, UNWRITTEN))),
    "not_passed": ("not passed", frozenset(FAILED | {NOT_RUN, UNWRITTEN})),
    "passed": ("passed", frozenset(PASSED)),
}
_WHICH = {
    "first": "first runs",
    "latest": "latest runs",
    "solved": "latest runs of who solved it",
    "stuck": "latest runs of who is stuck",
}
_VERDICTS = [(verdict.value, verdict.value.replace("_", " ").capitalize()) for verdict in Verdict]


class _Failed(Func):
    """Whether a result of a check is in the index `failed_checks`: SQLite must see the index's own words for that."""

    template = "NOT (%(expressions)s IN ('passed', 'not_run'))"
    output_field = BooleanField()


class SearchForm(forms.Form):
    """What somebody looks for. Everything may be left out."""

    learner = forms.CharField(required=False, max_length=150, strip=True)
    problem = forms.ModelChoiceField(
        Problem.objects.order_by("slug"), required=False, to_field_name="slug", empty_label="Any"
    )
    verdict = forms.ChoiceField(choices=[("", "Any"), *_VERDICTS, ("unfinished", "Not finished")], required=False)
    check = forms.CharField(required=False, max_length=200)
    outcome = forms.ChoiceField(
        choices=[(name, words.capitalize()) for name, (words, _) in _OUTCOMES.items()], required=False
    )
    diagnosis = forms.CharField(required=False, max_length=200)
    version = forms.CharField(required=False, max_length=16)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    which = forms.ChoiceField(
        choices=[("", "All runs"), *((name, words.capitalize()) for name, words in _WHICH.items())], required=False
    )
    pattern = forms.RegexField(r"^[0-9a-f]{16}$", required=False)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in ("check", "version", "which", "pattern"):
            if cleaned.get(name) and not cleaned.get("problem"):
                self.add_error("problem", f"Choose a problem: without one, {name!r} means nothing.")
        return cleaned


@dataclasses.dataclass(frozen=True)
class Search:
    """A search that is valid."""

    values: dict[str, Any]

    @property
    def problem(self) -> Problem | None:
        problem: Problem | None = self.values.get("problem")
        return problem

    @property
    def query(self) -> str:
        """The same as the part of an address behind the question mark."""
        given = {name: value for name, value in self.values.items() if value}
        return urlencode({name: value.slug if isinstance(value, Problem) else value for name, value in given.items()})

    @property
    def words(self) -> str:
        """The same for people: what a rejudgement of these is called."""
        given = self.values
        parts = [f"of {given['learner']}" if given.get("learner") else "", _WHICH.get(given.get("which", ""), "")]
        if given.get("verdict"):
            parts.append(given["verdict"].replace("_", " "))
        if given.get("check"):
            parts.append(f"{given['check']} {_OUTCOMES[given.get('outcome') or 'failed'][0]}")
        if given.get("diagnosis"):
            is_none = given["diagnosis"] == UNEXPLAINED
            parts.append("no known mistake" if is_none else f"mistake {given['diagnosis']}")
        parts += [f"{name} {given[name]}" for name in ("version", "since", "until") if given.get(name)]
        parts.append("failing alike" if given.get("pattern") else "")
        return ", ".join(part for part in parts if part) or "all runs"

    def found(self) -> "QuerySet[Submission]":
        """The newest first."""
        found: QuerySet[Submission] = Submission.objects.order_by("-created_at", "-pk")
        for narrowed in (_by_learner, _by_problem, _by_verdict, _by_date, _by_which, _by_check, _by_diagnosis):
            found = narrowed(found, self.values)
        return found

    def count(self) -> "Count":
        found = self.found().order_by().values("pk")[: COUNTED + 1].count()
        return Count(min(found, COUNTED), found > COUNTED)


class Count(NamedTuple):
    """How many runs a search finds."""

    number: int
    is_more: bool
    """Whether there are more than `number`."""


def _by_learner(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    if not values.get("learner"):
        return found
    named = User.objects.filter(username__iexact=values["learner"])
    if not named.exists():
        named = User.objects.filter(username__icontains=values["learner"])
    return found.filter(user__in=list(named.values_list("pk", flat=True)[:_MOST_NAMES]))


def _by_problem(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    if values.get("problem"):
        found = found.filter(problem=values["problem"])
    if values.get("version"):
        versions = PackageVersion.objects.filter(problem=values["problem"], version__startswith=values["version"])
        found = found.filter(version__in=list(versions.values_list("pk", flat=True)))
    return found.filter(pattern=values["pattern"]) if values.get("pattern") else found


def _by_verdict(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    if values.get("verdict") == "unfinished":
        return found.exclude(state=State.FINISHED)
    return found.filter(verdict=values["verdict"]) if values.get("verdict") else found


def _by_date(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    """Both days are among those meant."""
    if values.get("since"):
        found = found.filter(created_at__gte=_midnight(values["since"]))
    if values.get("until"):
        found = found.filter(created_at__lt=_midnight(values["until"] + datetime.timedelta(days=1)))
    return found


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time(), datetime.UTC)


def _by_which(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    which, check = values.get("which"), values.get("check")
    if not which:
        return found
    if which == "stuck":
        chosen = [standing.latest_id for standing in stuck_standings(values["problem"], check)]
    elif which == "solved":
        solved = Standing.objects.filter(problem=values["problem"], attempts_to_solve__isnull=False)
        chosen = list(solved.values_list("latest", flat=True))
    elif check:
        chosen = _standing_runs(values["problem"], which, check, _OUTCOMES[values.get("outcome") or "failed"][1])
    else:
        chosen = list(Standing.objects.filter(problem=values["problem"]).values_list(which, flat=True))
    return found.filter(pk__in=chosen)


def _standing_runs(problem: Problem, which: str, check: str, letters: frozenset[str]) -> list[UUID]:
    """First or latest runs in which the check ended with one of these letters; counted as the report counts them."""
    places = _places(problem, check)
    standings = Standing.objects.filter(problem=problem, version__in=places)
    told = standings.values_list(which, "version", f"{which}_outcomes")
    return [run for run, version, outcomes in told if outcomes[places[version]] in letters]


def _places(problem: Problem, check: str) -> dict[int, int]:
    """For each version that has the check, its place in the plan."""
    return {
        version: place
        for version, planned in PackageVersion.objects.filter(problem=problem).values_list("pk", "planned")
        for place, each in enumerate(planned)
        if each["id"] == check
    }


def stuck_standings(problem: Problem, check: str | None) -> list[Standing]:
    """Of those who are stuck on this check, or on any."""
    stuck = list(Standing.objects.filter(problem=problem, stuck__gt=0).defer("mistakes").select_related("user"))
    if not check:
        return stuck
    places = _places(problem, check)
    return [
        standing
        for standing in stuck
        if (place := places.get(standing.version_id)) is not None and standing.failed_in_a_row[place] >= STUCK_AFTER
    ]


def _by_check(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    check = values.get("check")
    if not check or values.get("which"):
        return found
    outcome = values.get("outcome") or "failed"
    if outcome == "failed":
        failed = CheckResult.objects.filter(_Failed(F("status")), submission=OuterRef("pk"), check_id=check)
        return found.filter(Exists(failed)).exclude(verdict=Verdict.JUDGE_ERROR)
    places = [
        When(version=version, then=Substr("outcomes", place + 1, 1))
        for version, place in _places(values["problem"], check).items()
    ]
    letter = Case(*places, default=Value(""), output_field=CharField())
    return found.annotate(letter=letter).filter(letter__in=sorted(_OUTCOMES[outcome][1]))


def _by_diagnosis(found: "QuerySet[Submission]", values: dict[str, Any]) -> "QuerySet[Submission]":
    mistake, check = values.get("diagnosis"), values.get("check")
    if not mistake:
        return found
    told = Diagnosis.objects.filter(submission=OuterRef("pk"))
    if check:
        told = told.annotate(text=Cast("checks", TextField())).filter(text__contains=f'"{check}"')
    if mistake != UNEXPLAINED:
        return found.filter(Exists(told.filter(mistake=mistake)))
    return found.filter(~Exists(told)) if check else found.filter(pattern__gt="")


@dataclasses.dataclass(frozen=True)
class Page:
    """Some submissions in order, and where those before and after begin."""

    submissions: list[Submission]
    newer: str
    """For `after`; empty on the first page."""
    older: str
    """For `before`; empty on the last page."""
    count: Count

    @classmethod
    def of(cls, search: Search, *, before: str = "", after: str = "") -> "Page":
        """The page that follows the place `before`, or ends before the place `after`. A bad place is the beginning."""
        rows, has_newer, has_older = _rows(search.found(), _place(before), _place(after))
        newer = _key(rows[0]) if rows and has_newer else ""
        older = _key(rows[-1]) if rows and has_older else ""
        return cls(rows, newer, older, search.count())


def _rows(
    found: "QuerySet[Submission]", before: "_Place | None", after: "_Place | None"
) -> tuple[list[Submission], bool, bool]:
    shown = found.select_related("user", "problem", "version").prefetch_related("diagnoses")
    shown = shown.defer("source", "printed", "version__files", "version__planned")
    if after is not None and before is None:
        at, key = after
        later = shown.filter(Q(created_at__gt=at) | Q(created_at=at, pk__gt=key), created_at__gte=at)
        rows = list(later.order_by("created_at", "pk")[: A_PAGE + 1])
        return rows[:A_PAGE][::-1], len(rows) > A_PAGE, True
    if before is not None:
        at, key = before
        shown = shown.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=key), created_at__lte=at)
    rows = list(shown[: A_PAGE + 1])
    return rows[:A_PAGE], before is not None, len(rows) > A_PAGE


_Place = tuple[datetime.datetime, UUID]


def _key(submission: Submission) -> str:
    return f"{submission.created_at.isoformat()}_{submission.pk.hex}"


def _place(text: str) -> "_Place | None":
    at, _, key = text.partition("_")
    try:
        moment = datetime.datetime.fromisoformat(at)
        return (moment, UUID(key)) if moment.tzinfo else None
    except ValueError:
        return None
