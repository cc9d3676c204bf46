"""Whether a formula will be drawn, as far as its text tells.

KaTeX draws formulas in the browser, and shows what it can't read in red. This reads the structure that it needs
(groups, scripts, arguments, environments) and knows the names of its commands (`katex.txt`, of KaTeX 0.16). It accepts
some formulas that KaTeX refuses; it refuses none that KaTeX draws, but for commands that are switched off here because
they reach beyond the formula (links, images, classes), and for `%`, after which KaTeX would silently draw nothing.
"""

import re
from pathlib import Path

COMMANDS = frozenset(Path(__file__).with_name("katex.txt").read_text(encoding="utf-8").split())
ENVIRONMENTS = frozenset(
    "CD Bmatrix Vmatrix align alignat aligned alignedat array bmatrix cases darray dcases drcases equation gather "
    "gathered matrix pmatrix rcases smallmatrix split subarray vmatrix".split()
)
_SYMBOLS = frozenset(",:;!>{}|\\_%&$#'`^~=.\"/()[]- \n")
"""Characters that make a command after a backslash."""
_ARGUMENTS = {
    **{name: 2 for name in "frac dfrac tfrac cfrac binom dbinom tbinom overset underset stackrel textcolor".split()},
    **{name: 1 for name in "sqrt hat bar tilde vec dot ddot widehat widetilde overline underline".split()},
    **{name: 1 for name in "mathbf mathrm mathcal mathbb mathit mathsf mathtt boldsymbol bm operatorname".split()},
    **{name: 1 for name in "overbrace underbrace boxed mathring check phantom".split()},
}
_TOKEN = re.compile(r"\\(?:[a-zA-Z]+\*?|.|\n|$)|[{}^_&$#%]|[^\s]", re.DOTALL)
_END = ""


def complaints_of(formula: str) -> list[str]:
    """What keeps KaTeX from drawing the formula; empty if nothing was found."""
    reader = _Reader(formula)
    reader.read()
    return list(dict.fromkeys(reader.complaints))


class _Reader:
    """Reads one formula from left to right; after a complaint it goes on where it can."""

    def __init__(self, formula: str) -> None:
        self.complaints: list[str] = []
        self._tokens = _TOKEN.findall(formula)
        self._place = 0
        self._environments: list[str] = []
        self._lefts = 0

    def read(self) -> None:
        if not self._tokens:
            self._complain("the formula is empty")
        while self._peek() != _END:
            self._list()
            if self._peek() == "}":
                self._complain("a closing brace has no opening one")
                self._next()
        for name in self._environments:
            self._complain(f"\\begin{{{name}}} has no \\end{{{name}}}")
        if self._lefts > 0:
            self._complain("\\left has no \\right")

    def _list(self) -> None:
        """Everything up to a closing brace or the end."""
        scripts: set[str] = set()
        while self._peek() not in ("}", _END):
            token = self._next()
            if token in ("^", "_"):
                if token in scripts:
                    self._complain(f"two {token} follow one symbol; put braces around the first part")
                scripts.add(token)
                self._argument(token)
            elif token != "'":
                scripts = set()
                self._item(token)

    def _item(self, token: str) -> None:
        if token == "{":
            self._group()
        elif token == "&":
            if not self._environments:
                self._complain("& stands outside of an environment such as aligned")
        elif token in ("$", "#"):
            self._complain(f"{token} means nothing inside a formula; write \\{token}")
        elif token == "%":
            self._complain("% begins a comment; write \\%")
        elif token.startswith("\\"):
            self._command(token[1:])

    def _command(self, name: str) -> None:
        if not name:
            self._complain("the formula ends with a backslash")
        elif name in ("begin", "end"):
            self._environment(name)
        elif name in ("left", "right", "middle"):
            self._lefts += {"left": 1, "right": -1, "middle": 0}[name]
            if self._lefts < 0:
                self._lefts = 0
                self._complain("\\right has no \\left")
            if self._next() == _END:
                self._complain(f"\\{name} is followed by no bracket")
        elif not (name in _SYMBOLS or name.rstrip("*") in COMMANDS or name in COMMANDS):
            self._complain(f"\\{name} is no command of KaTeX")
        elif name.startswith("text") and self._peek() == "{":
            self._text()
        elif name.rstrip("*") in _ARGUMENTS:
            if name == "sqrt" and self._peek() == "[":
                while self._peek() not in ("]", _END):
                    self._next()
                self._next()
            for _ in range(_ARGUMENTS[name.rstrip("*")]):
                self._argument(f"\\{name}")

    def _text(self) -> None:
        """Words inside of `\\text{...}`, where a dollar begins a formula again."""
        depth = 0
        while self._peek() != _END:
            depth += {"{": 1, "}": -1}.get(self._next(), 0)
            if depth == 0:
                return
        self._complain("an opening brace has no closing one")

    def _argument(self, of: str) -> None:
        token = self._peek()
        if token in ("}", _END, "&", "^", "_"):
            self._complain(f"{of} lacks what it applies to")
            return
        self._next()
        self._item(token)

    def _group(self) -> None:
        outer, self._environments = self._environments, []
        self._list()
        for name in self._environments:
            self._complain(f"\\begin{{{name}}} has no \\end{{{name}}}")
        self._environments = outer
        if self._next() == _END:
            self._complain("an opening brace has no closing one")

    def _environment(self, which: str) -> None:
        name = ""
        if self._next() == "{":
            while self._peek() not in ("}", _END):
                name += self._next()
            self._next()
        if name.rstrip("*") not in ENVIRONMENTS:
            self._complain(f"\\{which}{{{name}}} names no environment of KaTeX")
        elif which == "begin":
            self._environments.append(name)
        elif not self._environments or self._environments.pop() != name:
            self._complain(f"\\end{{{name}}} has no \\begin{{{name}}}")

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else _END

    def _next(self) -> str:
        token = self._peek()
        self._place += 1
        return token

    def _complain(self, reason: str) -> None:
        self.complaints.append(reason)
