"""Finding submissions that fail in the same way although no known mistake explains it.

What no known mistake explains is put into words without what differs between two runs of the same mistake (inputs that
a check draws, places in the file, last digits) and hashed: equal patterns are one cluster. Whether a check draws its
inputs is learned from the signatures: a check in which some known mistake gives the same values with different seeds
has fixed inputs, and its values belong to the pattern. A number on the edge between two roundings can make two clusters
of one; two different mistakes that look alike in words and in all fixed values stay one.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from judge.catalog.signatures import Failure, ResultOfCheck, Signature, failures

_DIGITS = 3
"""Significant digits of a value in a pattern: two ways to compute the same wrong value agree in more."""


def pattern_of(
    signatures: Sequence[Signature], results: Iterable[tuple[str, ResultOfCheck]], explained: AbstractSet[str]
) -> str:
    """16 hexadecimal digits for the failures outside of `explained`; empty if there is none.

    A check that fails because a function is not written yet is no such failure.
    """
    rest = {
        check: failure
        for check, failure in failures(results).items()
        if check not in explained and not failure.is_left_out
    }
    if not rest:
        return ""
    fixed = _fixed_checks(signatures, rest.keys())
    told = [[check, *_told(failure, tells_numbers=check in fixed)] for check, failure in sorted(rest.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def _fixed_checks(signatures: Sequence[Signature], checks: AbstractSet[str]) -> set[str]:
    """Those of `checks` whose values are known not to change with the seed."""
    return {
        check
        for signature in signatures
        for check in checks & signature.always.keys()
        if (numbers := signature.always[check].numbers) and all(number is not None for number in numbers)
    }


def _told(failure: Failure, *, tells_numbers: bool) -> list[Any]:
    if failure.is_rounding:
        return [failure.kind, "rounding"]
    numbers = [_rounded(number) for number in failure.numbers] if tells_numbers else []
    return [failure.kind, failure.text, numbers]


def _rounded(number: float | None) -> str:
    if number is None or not math.isfinite(number):
        return str(number)
    return f"{number:.{_DIGITS}g}" if number else "0"
