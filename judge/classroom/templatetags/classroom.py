"""How numbers of the workspace are written."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judge.classroom.reports import Outcomes
from judge.submissions.models import Diagnosis, Submission
from sandbox.protocol import Verdict

register = template.Library()


@register.filter
def percent(part: int, whole: int) -> str:
    """A share that says 100 % only of all and 0 % only of none: one in a thousand stays visible."""
    if not whole:
        return "–"
    if part in (0, whole):
        return f"{100 * part // whole} %"
    rounded = round(100 * part / whole)
    return "<1 %" if rounded < 1 else ">99 %" if rounded > 99 else f"{rounded} %"


@register.filter
def rate(outcomes: Outcomes) -> str:
    return percent(outcomes.passed, outcomes.total)


@register.filter
def short_number(value: float | None) -> str:
    """With one decimal where there is one; a dash for what is not known."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


@register.filter
def verdict_words(verdict: str) -> str:
    """A verdict for a table; a fault of ours is named as one."""
    return {"": "not finished", Verdict.JUDGE_ERROR: "our fault"}.get(verdict, verdict.replace("_", " "))


@register.filter
def tone(submission: Submission) -> str:
    """`passed`, `failed`, `fault` or `waiting`: the mark before a run."""
    known = {"": "waiting", Verdict.ACCEPTED: "passed", Verdict.JUDGE_ERROR: "fault"}
    return known.get(submission.verdict, "failed")


_WIDTH = 88
_PARTS = ("passed", "failed", "raised", "stopped", "not_reached")


@register.simple_tag
def outcome_bar(outcomes: Outcomes) -> SafeString:
    """A bar in the proportions of the outcomes. What it shows stands in the cells beside it."""
    left, pieces = 0.0, []
    for part in _PARTS:
        count = getattr(outcomes, part)
        if count:
            # A single learner is seen, also among a thousand.
            width = max(1.5, _WIDTH * count / outcomes.total)
            pieces.append(
                format_html(
                    '<rect class="outcome outcome--{}" x="{}" width="{}" height="10" />',
                    part.replace("_", "-"),
                    f"{min(left, _WIDTH - 1.5):.1f}",
                    f"{width:.1f}",
                )
            )
            left += width
    return format_html(
        '<svg class="outcomes" viewBox="0 0 {} 10" width="{}" height="10" aria-hidden="true">{}</svg>',
        _WIDTH,
        _WIDTH,
        SafeString("".join(pieces)),
    )


@register.simple_tag
def sparkline(values: Sequence[int]) -> SafeString:
    """A line through `values`, with the last one marked, and the same in words."""
    width, height, most = 96, 22, max([*values, 1])
    step = width / max(1, len(values) - 1)
    points = [(place * step, height - 2 - (height - 4) * value / most) for place, value in enumerate(values)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    words = f"{sum(values)} runs in {len(values)} days, {values[-1] if values else 0} of them today"
    last = points[-1] if points else (0.0, 0.0)
    return format_html(
        '<svg class="spark" viewBox="-3 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">'
        '<polyline points="{}" /><circle cx="{}" cy="{}" r="2.5" /></svg>',
        *(width + 6, height, width + 6, height, words, path, f"{last[0]:.1f}", f"{last[1]:.1f}"),
    )


@register.filter
def mistake_title(diagnosis: Diagnosis, submission: Submission) -> str:
    """What the package calls a known mistake; its file where a version no longer has it."""
    titles = {mistake.file: mistake.title for mistake in submission.version.package.mistakes}
    return titles.get(diagnosis.mistake, diagnosis.mistake)


_TICKS = {"passed": (1, 7), "failed": (8, 7), "none": (7, 2)}
"""How a check ended -> where its mark begins, and how high it is."""


@register.simple_tag
def tick_strip(ticks: Sequence[str]) -> SafeString:
    """A mark for each check, as on a report: up for passed, down for failed, a dot on the line for not run.

    All marks of a kind are one path: a page has hundreds of strips, and an element for each mark would be a megabyte.
    """
    pieces = []
    for kind, (top, height) in _TICKS.items():
        marks = "".join(f"M{5 * place} {top}h3v{height}h-3z" for place, tick in enumerate(ticks) if tick == kind)
        if marks:
            pieces.append(f'<path class="strip__{kind}" d="{marks}" />')
    width = 5 * len(ticks)
    words = f"{ticks.count('passed')} passed, {ticks.count('failed')} failed, {ticks.count('none')} not run"
    return format_html(
        '<svg class="strip" viewBox="0 0 {} 16" width="{}" height="16" role="img" aria-label="{}">{}</svg>',
        *(width, width, words, SafeString("".join(pieces))),
    )
