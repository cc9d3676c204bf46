"""Two texts side by side, with what differs marked to the word."""

import dataclasses
import difflib
import re
from collections.abc import Iterator, Sequence

CONTEXT = 4
"""Equal lines around a change; more are folded."""
_WORD = re.compile(r"\w+|\s+|[^\w\s]")

Pieces = Sequence[tuple[bool, str]]
"""Parts of a line: whether it differs, and its text."""


@dataclasses.dataclass(frozen=True)
class Line:
    number: int
    pieces: Pieces


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of each text, or of one alone."""

    left: Line | None
    right: Line | None
    is_equal: bool


@dataclasses.dataclass(frozen=True)
class Block:
    rows: Sequence[Row]
    is_folded: bool
    """Equal lines that are far from any change."""


def side_by_side(left: str, right: str) -> list[Block]:
    rows = list(_rows(left.splitlines(), right.splitlines()))
    near = [
        any(not row.is_equal for row in rows[max(0, place - CONTEXT) : place + CONTEXT + 1])
        for place in range(len(rows))
    ]
    blocks: list[Block] = []
    for row, is_near in zip(rows, near, strict=True):
        if blocks and blocks[-1].is_folded is not is_near:
            blocks[-1] = Block([*blocks[-1].rows, row], not is_near)
        else:
            blocks.append(Block([row], not is_near))
    return blocks


def _rows(left: list[str], right: list[str]) -> Iterator[Row]:
    for tag, begin, end, other_begin, other_end in difflib.SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        for offset in range(max(end - begin, other_end - other_begin)):
            one = left[begin + offset] if begin + offset < end else None
            other = right[other_begin + offset] if other_begin + offset < other_end else None
            ours, theirs = _pieces(one, other)
            yield Row(
                None if one is None else Line(begin + offset + 1, ours),
                None if other is None else Line(other_begin + offset + 1, theirs),
                tag == "equal",
            )


def _pieces(left: str | None, right: str | None) -> tuple[Pieces, Pieces]:
    if left is None or right is None or left == right:
        return [(False, left or "")], [(False, right or "")]
    words, others = _WORD.findall(left), _WORD.findall(right)
    matcher = difflib.SequenceMatcher(None, words, others, autojunk=False)
    if matcher.ratio() < 0.4:
        return [(True, left)], [(True, right)]  # another line: marking single words of it tells nothing
    ours, theirs = [], []
    for tag, begin, end, other_begin, other_end in matcher.get_opcodes():
        ours.append((tag != "equal", "".join(words[begin:end])))
        theirs.append((tag != "equal", "".join(others[other_begin:other_end])))
    return [piece for piece in ours if piece[1]], [piece for piece in theirs if piece[1]]
