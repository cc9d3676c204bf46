"""Faults in the Markdown of a package: links that lead nowhere, formulas that can't be drawn, markup that is lost."""

import dataclasses
import re
from collections.abc import Collection, Iterator

from markdown_it.token import Token

from judge.catalog.labs import faults_of
from judge.catalog.markdown import question_of, tokens_of
from judge.catalog.table import Complaint, Severity
from judge.catalog.tex import complaints_of

_TAG = re.compile(r"</?[a-zA-Z][\w-]*(\s[^<>]*)?/?>")
_SEARCHED = 10_000
"""Characters of a line in which words are looked for."""
_SCHEMES = ("https://", "http://", "mailto:")


@dataclasses.dataclass(frozen=True)
class Heading:
    level: int
    anchor: str
    """Empty if it has none."""
    title: str
    line: int


class Text:
    """One Markdown text, where it comes from, and what names it gives."""

    def __init__(self, file: str, text: str, first_line: int = 1) -> None:
        self.file = file
        self._lines = text.splitlines()
        self._first = first_line
        self._tokens = tokens_of(text)
        self.headings = list(self._find_headings())
        self.anchors: dict[str, int] = {}
        """Anchor -> line."""
        self._twice: list[tuple[str, int]] = []
        for anchor, line in self._find_anchors():
            if anchor in self.anchors:
                self._twice.append((anchor, line))
            self.anchors.setdefault(anchor, line)

    def complaints(self, anchors: Collection[str] | None = None, labs: Collection[str] = ()) -> Iterator[Complaint]:
        """Everything that is wrong with the text. It may link to `anchors`, else its own, and to pages of labs."""
        targets = {f"#{anchor}" for anchor in (self.anchors if anchors is None else anchors)}
        if not self._tokens:
            yield self._complaint("it is empty", "write what it should say", self._first)
        for anchor, line in self._twice:
            yield self._complaint(f"the anchor #{anchor} is given twice", "rename one of the two", line)
        for token, line in self._walk():
            yield from self._of_token(token, line, targets, labs)

    def _of_token(
        self, token: Token, line: int, targets: Collection[str], labs: Collection[str]
    ) -> Iterator[Complaint]:
        if token.type.startswith("math_"):
            shown = token.content.strip()
            for reason in complaints_of(shown):
                yield self._complaint(f"the formula {_short(shown)!r} can't be drawn: {reason}", "mend the TeX", line)
        elif token.type == "link_open":
            target = str(token.attrs.get("href", ""))
            page = re.split(r"[?#]", target)[0].rstrip("/").rpartition("/")[2]
            if not (target in targets or target.startswith(_SCHEMES) or page in labs):
                remedy = "write an address with https://, an #anchor of the statement, or the page of a lab"
                yield self._complaint(f"the link to {target!r} leads nowhere", remedy, line)
        elif token.type == "image":
            yield self._complaint("images are not shown", "say it in words, or link to the image", line)
        elif token.type == "container_lab_open":
            for reason, remedy in faults_of(token.info):
                yield self._complaint(reason, remedy, line)
        elif token.type == "container_question_open":
            yield from self._of_question(question_of(token.info), line)
        elif token.type == "text":
            yield from self._of_words(token.content, line)

    def _of_question(self, asked: str, line: int) -> Iterator[Complaint]:
        if not asked:
            yield self._complaint("a question asks nothing", "write :::question and what is asked", line)
            return
        yield from (dataclasses.replace(complaint, line=line) for complaint in Text(self.file, asked).complaints())

    def _of_words(self, words: str, line: int) -> Iterator[Complaint]:
        if "{#" in words:
            remedy = "write `## Heading {#name}`, or `[A sentence.]{#name}` without a space before the brace"
            yield self._complaint("an anchor {#...} is not read as one", remedy, line)
        if "$" in words and not any("\\$" in part for part in self._lines):
            remedy = "write no space just inside the dollars, or \\$ for a dollar"
            yield self._complaint("a dollar begins no formula", remedy, line, Severity.WARNING)
        if found := _TAG.search(words):
            yield self._complaint(
                f"{found[0]} is shown as text", "use Markdown; HTML is not read", line, Severity.WARNING
            )

    def _find_headings(self) -> Iterator[Heading]:
        for opening, inline in zip(self._tokens, self._tokens[1:], strict=False):
            if opening.type == "heading_open":
                anchor = str(opening.attrs.get("id", ""))
                yield Heading(int(opening.tag[1:]), anchor, inline.content.strip(), self._line(opening, ""))

    def _find_anchors(self) -> Iterator[tuple[str, int]]:
        for token, line in self._walk():
            if "id" in token.attrs:
                yield str(token.attrs["id"]), line

    def _walk(self) -> Iterator[tuple[Token, int]]:
        """Every token, those inside of paragraphs too, with its line as near as it can be told."""
        for token in self._tokens:
            yield token, self._line(token, "")
            for child in token.children or ():
                name = str(child.attrs.get("id", child.attrs.get("href", "")))
                yield child, self._line(token, name or child.content)

    def _line(self, block: Token, needle: str) -> int:
        start, end = block.map or (0, 1)
        first_words = needle.splitlines()[0][:60] if needle.strip() else ""
        for number in range(start, min(end, len(self._lines))):
            if first_words and first_words in self._lines[number][:_SEARCHED]:
                return self._first + number
        return self._first + start

    def _complaint(self, reason: str, remedy: str, line: int, severity: Severity = Severity.ERROR) -> Complaint:
        return Complaint(self.file, reason, remedy, line, severity)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 50 else text[:47] + "..."
