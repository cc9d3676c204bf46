"""Naming the known mistakes that explain the failures of a submission.

A greedy cover. Each signature whose checks all failed is a candidate; its weight is how much less common its failures
are among the other mistakes of the package than chance would have it. The heaviest is taken, the failures that it
accounts for are put aside, and the rest is asked again: so several mistakes at once, as one in each function, are found
one by one. A check that depends on everything (a training run) fails with the values of one of them only; the others
need not match there.

What is not in the catalogue is not named: a signature must agree in values wherever it has values of its own.
"""

import collections
import dataclasses
import enum
import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from judge.catalog.mistakes import Mistake
from judge.catalog.signatures import Agreement, ResultOfCheck, Signature, failures, place_of_error
from sandbox.protocol import Status

MOST = 5
"""So many mistakes are named at most."""
_SHARE = {Agreement.NONE: 0.0, Agreement.KIND: 0.25, Agreement.CAUSE: 0.75, Agreement.VALUES: 1.0}
"""How much of what a failure could say it says."""
_CONTRADICTION = 3.0
"""What a check costs that the mistake always fails and the submission passed."""
_MISMATCH = 1.0
"""What a check costs that both fail, but not in the same way, if no other candidate explains it."""


class Sureness(enum.StrEnum):
    SURE = "sure"
    """It fails the same checks with the same values, and no other known mistake does."""
    LIKELY = "likely"
    POSSIBLE = "possible"


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """A known mistake that a submission seems to make."""

    mistake: str
    """The file of the mistake in its package."""
    sureness: Sureness
    checks: tuple[str, ...]
    """The failed checks that it explains, in the order of the run."""


def diagnose(signatures: Sequence[Signature], results: Iterable[tuple[str, ResultOfCheck]]) -> list[Diagnosis]:
    """The known mistakes in a run that failed, the best explanation first.

    Args:
        signatures: of all known mistakes of the package version that judged.
        results: check id and result, in the order of the run.
    """
    return _Comparison(signatures, list(results)).diagnoses()


def conceivable(mistakes: Iterable[Mistake], results: Iterable[tuple[str, ResultOfCheck]]) -> list[Mistake]:
    """Those of `mistakes` whose named checks all failed, and not only because something is not written yet.

    Where signatures are made on demand, those of the others need not be made.
    """
    failed = failures(results)
    written = {check for check, failure in failed.items() if not failure.is_left_out}
    return [
        mistake for mistake in mistakes if set(mistake.fails) <= failed.keys() and not written.isdisjoint(mistake.fails)
    ]


@dataclasses.dataclass(frozen=True)
class _Candidate:
    signature: Signature
    agreements: Mapping[str, Agreement]
    """For each check that the mistake always fails and the submission failed."""
    passed: AbstractSet[str]
    """Checks that the mistake fails in every run that is known of it, and the submission passed."""
    contradictions: AbstractSet[str]
    """Those of them that inputs can't explain: an error of rounding exceeds what is allowed for some inputs only."""


class _Comparison:
    """One run against all signatures."""

    def __init__(self, signatures: Sequence[Signature], results: list[tuple[str, ResultOfCheck]]) -> None:
        self.signatures = signatures
        self.failed = failures(results)
        self.passed = {check for check, result in results if result.status == Status.PASSED}
        self.places: dict[str, str] = {}
        for check, result in results:
            place = place_of_error(result)
            if place is not None:
                self.places[check] = place
        self.candidates = [self._candidate(signature) for signature in signatures]
        self.counts: collections.Counter[tuple[str, Agreement]] = collections.Counter()
        for candidate in self.candidates:
            for check, agreement in candidate.agreements.items():
                self.counts.update((check, level) for level in Agreement if level <= agreement)

    def diagnoses(self) -> list[Diagnosis]:
        found: list[_Candidate] = []
        accounted: set[str] = set()
        while len(found) < MOST:
            scored = [(self._weight(candidate, accounted), candidate) for candidate in self.candidates]
            possible = [
                (weight, candidate)
                for weight, candidate in scored
                if candidate not in found and self._is_supported(candidate, accounted)
            ]
            if not possible:
                break
            best = max(possible, key=lambda pair: pair[0])[1]
            found.append(best)
            accounted |= best.signature.checks
        return self._ranked(found)

    def _candidate(self, signature: Signature) -> _Candidate:
        agreements = {
            check: pattern.agreement(self.failed[check])
            for check, pattern in signature.always.items()
            if check in self.failed
        }
        for place in {self.places[check] for check in agreements if check in self.places}:
            together = {check for check, other in self.places.items() if other == place}
            if len(together & signature.checks) * 2 < len(together):
                # One cause: a mistake that fails in a few of its checks only is another one.
                agreements |= {check: Agreement.NONE for check in together & agreements.keys()}
            elif len(together) > 1 and together <= signature.checks:
                agreements |= {
                    check: Agreement.CAUSE
                    for check in together & agreements.keys()
                    if agreements[check] is Agreement.KIND and signature.always[check].is_exception
                }
        passed = signature.always.keys() & self.passed
        hard = {check for check in passed if not signature.always[check].is_rounding}
        return _Candidate(signature, agreements, passed, hard)

    def _weight(self, candidate: _Candidate, accounted: AbstractSet[str]) -> float:
        total = -_CONTRADICTION * len(candidate.contradictions)
        for check, agreement in candidate.agreements.items():
            if check in accounted:
                continue
            total += _SHARE[agreement] * math.log((len(self.signatures) + 1) / self.counts[check, agreement])
            if agreement is not Agreement.VALUES and not self._is_explained(check, candidate):
                total -= _MISMATCH
        return total

    def _is_explained(self, check: str, candidate: _Candidate) -> bool:
        """Whether another mistake, whose checks all failed, gives just these values."""
        return any(
            other is not candidate and not other.contradictions and other.agreements.get(check) is Agreement.VALUES
            for other in self.candidates
        )

    def _is_supported(self, candidate: _Candidate, accounted: AbstractSet[str]) -> bool:
        """Whether values agree in most of the checks that are this mistake's own and have some, and it has enough.

        Where nothing agrees because the mistake has no values, it must fail just what is left to explain.
        """
        own = candidate.agreements.keys() - accounted
        if not own or 4 * len(own) < len(candidate.signature.always):
            return False
        if 3 * len(candidate.contradictions) > len(own):
            return False
        telling = [check for check in own if candidate.signature.always[check].tells_values]
        agreeing = [check for check in telling if candidate.agreements[check] >= Agreement.CAUSE]
        if telling:
            return 2 * len(agreeing) > len(telling)
        is_rest = self.failed.keys() - accounted <= candidate.signature.checks
        return is_rest and not candidate.contradictions and all(candidate.agreements[check] for check in own)

    def _ranked(self, found: Sequence[_Candidate]) -> list[Diagnosis]:
        diagnoses = []
        accounted: set[str] = set()
        unexplained = self.failed.keys() - set().union(*(candidate.signature.checks for candidate in found))
        for candidate in found:
            own = candidate.agreements.keys() - accounted
            rivals = self._rivals(candidate, own, accounted)
            sureness = self._sureness(candidate, own, is_only=not rivals, is_all=not unexplained)
            checks = tuple(check for check in self.failed if check in own)
            diagnoses += [
                Diagnosis(each.signature.mistake, sureness, checks)
                for each in (candidate, *(rivals if sureness is Sureness.POSSIBLE else ()))
            ]
            accounted |= candidate.signature.checks
        return sorted(diagnoses, key=lambda diagnosis: list(Sureness).index(diagnosis.sureness))

    def _rivals(self, candidate: _Candidate, own: AbstractSet[str], accounted: AbstractSet[str]) -> list[_Candidate]:
        """Others that explain the same checks at least as well: the runs do not say which it is."""
        return [
            other
            for other in self.candidates
            if other is not candidate
            and not other.contradictions
            and own == other.agreements.keys() - accounted
            and self._is_supported(other, accounted)
            and all(other.agreements[check] >= candidate.agreements[check] for check in own)
        ]

    def _sureness(self, candidate: _Candidate, own: AbstractSet[str], *, is_only: bool, is_all: bool) -> Sureness:
        agreeing = [check for check in own if candidate.agreements[check] is Agreement.VALUES]
        caused = [check for check in own if candidate.agreements[check] >= Agreement.CAUSE]
        is_told = any(candidate.signature.always[check].tells_values for check in caused)
        is_exact = len(agreeing) == len(own) and not candidate.passed
        if not is_only or 2 * len(own) < len(candidate.signature.always):
            return Sureness.POSSIBLE
        if is_told and is_exact and is_all:
            return Sureness.SURE
        if (is_told or (is_exact and is_all)) and len(caused) * 4 >= len(own) * 3:
            return Sureness.LIKELY
        return Sureness.POSSIBLE
