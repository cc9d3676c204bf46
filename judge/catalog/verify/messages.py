"""No message may show a learner the source of a hidden check."""

import io
import tokenize
from collections.abc import Iterable, Mapping, Sequence

from judge.catalog.package import ProblemPackage
from judge.catalog.python import parsed
from judge.catalog.table import Complaint
from judge.catalog.verify.jobs import Judged

_SHORTEST = 14
"""Characters of a line from which on it is taken for somebody's line and not for words that anybody writes."""
_PLAIN = {tokenize.STRING, tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def assess_messages(package: ProblemPackage, judged: Sequence[Judged]) -> list[Complaint]:
    """Complaints of checks of which a message holds a line of code."""
    secrets = _code_lines(package.folder("checks"))
    shown = _lines(package.experiment)
    found: dict[tuple[str, str], Complaint] = {}
    for message, check, source in _messages(judged):
        for line in secrets:
            if line in message and line not in shown and line not in _lines(source):
                file, number = secrets[line]
                complaint = Complaint(
                    file,
                    f"a message of {check} shows this line of a hidden check",
                    "never use a bare assert, and put no code into a message",
                    number,
                )
                found.setdefault((check, line), complaint)
    return list(found.values())


def _messages(judged: Sequence[Judged]) -> Iterable[tuple[str, str, str]]:
    """Each different message once: its text, the check, the submission."""
    seen = set()
    for run in judged:
        for result in run.results:
            if result.message and (result.id, result.message) not in seen:
                seen.add((result.id, result.message))
                yield result.message, result.id, run.task.source


def _lines(source: str) -> set[str]:
    return {line.strip() for line in source.splitlines()}


def _code_lines(files: Mapping[str, str]) -> dict[str, tuple[str, int]]:
    """Lines with code on them, stripped -> file and number. Texts and comments alone are no code."""
    lines: dict[str, tuple[str, int]] = {}
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        try:
            parsed(text)
        except SyntaxError:
            continue
        numbers = {
            token.start[0]
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in _PLAIN and token.string.strip("()[]{},. ")
        }
        source = text.splitlines()
        for number in sorted(numbers):
            line = source[number - 1].strip() if number <= len(source) else ""
            if len(line) >= _SHORTEST:
                lines.setdefault(line, (f"checks/{name}", number))
    return lines
