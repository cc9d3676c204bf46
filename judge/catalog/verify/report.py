"""A verification as text for a terminal: what is wrong comes first, what was measured after it."""

from collections.abc import Iterator

from judge.catalog.table import Complaint
from judge.catalog.verify.results import Margin, MutationScore, Verification


def as_text(found: Verification) -> str:
    blocks = [_headline(found), _complaints(found.complaints)]
    if found.solutions:
        blocks.append(_summary(found))
    if found.mutation is not None:
        blocks += [_survivors(found.mutation), _tolerances(found.margins), _elsewhere(found)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _headline(found: Verification) -> str:
    outcome = "verified" if found.is_verified else "NOT verified"
    counts = [_count(len(found.errors), "error"), _count(len(found.warnings), "warning")]
    said = ", ".join(count for count in counts if not count.startswith("0 "))
    runs = f" ({found.jobs} runs in {found.seconds:g} s)" if found.jobs else ""
    return f"{found.slug} {found.version}".strip() + f": {outcome}{f', {said}' if said else ''}{runs}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _complaints(complaints: tuple[Complaint, ...]) -> str:
    ordered = sorted(complaints, key=lambda complaint: complaint.severity != "error")
    return "\n".join(f"{complaint.severity}: {complaint}" for complaint in ordered)


def _summary(found: Verification) -> str:
    passing = sum(result.verdict == "accepted" for result in found.solutions)
    runs = found.solutions[0].runs
    lines = [
        (
            "correct solutions",
            f"{passing} of {len(found.solutions)} pass {_count(len(found.checks), 'check')} in {runs} runs each",
        ),
    ]
    if found.mutation is not None:
        lines += _proof(found, found.mutation)
    return "\n".join(f"{name:<18} {text}" for name, text in lines)


def _proof(found: Verification, mutation: MutationScore) -> Iterator[tuple[str, str]]:
    noticed = sum(not result.missed and result.verdict != "accepted" for result in found.mistakes)
    yield "known mistakes", f"{noticed} of {len(found.mistakes)} fail the checks that they name"
    required = [column for column in found.coverage if column.required]
    failed = sum(bool(column.mistakes) for column in required)
    yield "required checks", f"{failed} of {len(required)} are failed by a known mistake"
    refused = sum(result.verdict not in ("accepted", "judge_error") for result in found.probes)
    yield "odd results", f"{refused} of {len(found.probes)} are refused"
    counted = mutation.total - len(mutation.equivalent)
    score = f"{mutation.killed} of {counted} are noticed ({mutation.percent:.4g} %)"
    yield "mutants", score + (f"; {len(mutation.equivalent)} more are no mistakes" if mutation.equivalent else "")
    for budget in found.budgets:
        factor = f"1/{budget.allowed / budget.used:.0f}" if budget.used else "none"
        yield budget.limit, f"{budget.used:.3g} of {budget.allowed:g} {budget.unit} ({factor}; {budget.where})"


def _survivors(mutation: MutationScore) -> str:
    parts = [f"{result.diff}\n\n{_indented(result.entry)}" for result in mutation.survivors]
    if not parts:
        return ""
    opening = (
        "Mutants that no required check notices, each with the entry for mutants.toml in case that it is no mistake:"
    )
    return "\n\n".join([opening, *parts])


def _tolerances(margins: tuple[Margin, ...]) -> str:
    """A row for each check that compares numbers: how far right and wrong stay from what is allowed."""
    if not margins:
        return ""
    rows = [("check", "allowed", "correct", "", "nearest mistake", "", "")]
    for margin in margins:
        below = f"1/{1 / margin.error_ratio:.2g}" if margin.error_ratio else "exact"
        nearest = f"{margin.distance:.2g}" if margin.distance is not None else "none"
        above = f"x {margin.distance_ratio:.3g}" if margin.distance_ratio is not None else ""
        rows.append(
            (margin.check, f"{margin.allowed:.2g}", f"{margin.error:.2g}", below, nearest, above, margin.distance_file)
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = "\n".join(
        "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
    title = "Tolerances: the largest error of a correct solution, and the distance of the nearest mistake"
    return f"{title}\n{table}"


def _elsewhere(found: Verification) -> str:
    lines = [f"  {result.file}: {', '.join(result.elsewhere)}" for result in found.mistakes if result.elsewhere]
    if not lines:
        return ""
    return "\n".join(["Known mistakes that also fail checks of sections of which they name none:", *lines])


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
