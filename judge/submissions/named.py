"""How a diagnosis is told: the same values for the report, its JSON, and the command line."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from judge.catalog.diagnosis import Sureness
from judge.catalog.markdown import render, render_inline
from judge.catalog.mistakes import Mistake
from judge.catalog.package import ProblemPackage


class Found(Protocol):
    """A diagnosis, fresh or stored."""

    @property
    def mistake(self) -> str: ...
    @property
    def sureness(self) -> str: ...
    @property
    def checks(self) -> Sequence[str]: ...


def named(
    package: ProblemPackage, planned: Sequence[Mapping[str, Any]], found: Iterable[Found]
) -> list[dict[str, Any]]:
    """What a learner is told of each diagnosis, the best explanation first. It holds nothing of the file but its block.

    Args:
        planned: the checks of the problem, as `sandbox.protocol.CheckInfo` in dictionaries.
    """
    checks = {check["id"]: check for check in planned}
    mistakes = {mistake.file: mistake for mistake in package.mistakes}
    diagnoses = [diagnosis for diagnosis in found if diagnosis.mistake in mistakes]
    return [_named(package, checks, mistakes[diagnosis.mistake], diagnosis, diagnoses) for diagnosis in diagnoses]


def headline(diagnoses: Sequence[Mapping[str, Any]]) -> str:
    """What stands above several diagnoses; empty for one."""
    mistakes = len({tuple(diagnosis["checks"]) for diagnosis in diagnoses})
    if mistakes > 1:
        return f"{mistakes} mistakes at once"
    return "One of these" if len(diagnoses) > 1 else ""


def _named(
    package: ProblemPackage,
    checks: Mapping[str, Mapping[str, Any]],
    mistake: Mistake,
    diagnosis: Found,
    diagnoses: Sequence[Found],
) -> dict[str, Any]:
    told = [checks[check] for check in (*mistake.fails, *diagnosis.checks) if check in checks]
    anchor = next((check["sentence"] for check in told if check["sentence"]), None)
    html = render(package.statement).anchors.get(anchor) if anchor else None
    others = sum(list(other.checks) == list(diagnosis.checks) for other in diagnoses) - 1
    return {
        "title": mistake.title,
        "says_html": render_inline(mistake.sentence),
        "hint_html": render_inline(mistake.hint),
        "sentence": {"id": anchor, "html": html} if html else None,
        "section": told[0]["section"] if told else "",
        "sureness": str(diagnosis.sureness),
        "because": _because(Sureness(diagnosis.sureness), len(diagnosis.checks), others),
        "checks": list(diagnosis.checks),
    }


def _because(sureness: Sureness, checks: int, others: int) -> str:
    """How sure it is, and why."""
    failed = "1 check fails" if checks == 1 else f"{checks} checks fail"
    if sureness is Sureness.SURE:
        return f"Sure: {failed} exactly as with this mistake."
    if sureness is Sureness.LIKELY:
        return f"Likely: {failed} nearly as with this mistake."
    also = "and also as with another" if others else "but not in everything"
    return f"Possible: {failed} as with this mistake, {also}."
