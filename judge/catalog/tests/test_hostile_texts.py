"""Texts of a package that were made to harm whoever reads them: each ends as a complaint that names the file."""

from html.parser import HTMLParser

import pytest

from judge.catalog.archive import MAX_FILE_BYTES
from judge.catalog.criticism import criticize
from judge.catalog.markdown import render
from judge.catalog.package import parse_all
from judge.catalog.tests.packages import PACKAGE
from judge.catalog.texts import Text

MANY = MAX_FILE_BYTES - 100
TOML = PACKAGE.files["problem.toml"]
DEEP = "it is nested too deep to be read"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("reference.py", "x = " + "-" * MANY + "1", f"reference.py: {DEEP}"),
        ("reference.py", "x = a" + ".b" * (MANY // 2), f"reference.py: {DEEP}"),
        ("reference.py", "x = 1" + "+1" * (MANY // 2), f"reference.py: {DEEP}"),
        ("reference.py", "x = a" + "()" * (MANY // 2), f"reference.py: {DEEP}"),
        ("reference.py", "x = " + "lambda: " * (MANY // 8) + "1", f"reference.py: {DEEP}"),
        ("reference.py", "if 1: pass\n" + "elif 1: pass\n" * (MANY // 13), f"reference.py: {DEEP}"),
        ("reference.py", "\nx = a" + ".b" * 300, "reference.py:2: it is nested more than 200 levels deep"),
        ("reference.py", "(" * MANY, "reference.py:1: it is not valid Python: too many nested parentheses"),
        ("checks/test_standardize.py", "@a" + ".b" * 500 + "\ndef test_a(): pass\n", "checks/test_standardize.py:"),
        ("wrong/bessel.py", f"# /// mistake\n# fails = {'[' * 5000}\n# ///\n", f"wrong/bessel.py: {DEEP}"),
        ("problem.toml", "a = " + "[" * MANY, f"problem.toml: {DEEP}"),
        ("problem.toml", "a = " + "{a = " * (MANY // 5), f"problem.toml: {DEEP}"),
        ("problem.toml", "\na" + ".a" * (MANY // 2) + " = 1", "problem.toml:2: a name has too many parts"),
        ("problem.toml", 'a."b"' + '."b"' * (MANY // 5) + " = 1", "problem.toml:1: a name has too many parts"),
        ("problem.toml", "[a" + ".a" * (MANY // 2) + "]", "problem.toml:1: a name has too many parts"),
        ("problem.toml", "x = {a" + ".a" * (MANY // 2) + " = 1}", "problem.toml:1: a name has too many parts"),
        ("problem.toml", "a = " + "9" * 6000, "problem.toml: it is not valid TOML: Exceeds the limit (4300 digits)"),
        ("problem.toml", "title = 0x" + "f" * 6000, "problem.toml:1: title is something very large"),
        ("problem.toml", TOML.replace("position = 1000", f"position = {10**4000}"), "position is out of all bounds"),
        ("problem.toml", TOML + "\n[limits]\nmemory_mb = inf\n", "limits.memory_mb is inf; write a number above 0"),
        ("problem.toml", TOML + "\n[limits]\ncheck_seconds = nan\n", "limits.check_seconds is nan; write a number"),
        ("problem.toml", TOML + "\n[limits]\ntotal_seconds = 1e9\n", "above 0, 600 at most"),
    ],
)
def test_a_text_that_is_too_much_is_complained_of(file: str, text: str, said: str) -> None:
    package, complaints = parse_all("skeleton", {**PACKAGE.files, file: text})

    assert any(said in str(complaint) for complaint in complaints)
    criticize(package)  # it reads them once more


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * MANY + "b",
        "# " + "{#a" * (MANY // 3),
        "> " * (MANY // 2),
        "- " * (MANY // 2),
        "[a]: /x\n" + "[a]" * (MANY // 3),
        "*a_ " * (MANY // 4),
        "$a " * (MANY // 3),
        "|" * (MANY // 2) + "\n" + "|-" * (MANY // 4),
        ":::lab\n" * (MANY // 7),
    ],
    ids=lambda text: text[:8],
)
def test_markdown_that_is_deep_or_long_is_rendered(text: str) -> None:
    """The first took minutes: a search that may begin at each of many spaces."""
    render(text)
    list(Text("statement.md", text).complaints())


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><style>*{}</style></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt&colon;alert(1))",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](vbscript:x)",
        "![a](https://evil.example/pixel.png)",
        "![a](javascript:alert(1))",
        "[a]{onclick=alert(1) style=color:red id=x}",
        "# A {#x onclick=alert(1)}",
        "<iframe src=//evil.example></iframe><base href=//evil.example>",
        '```"><script>alert(1)</script>\nx\n```',
        "$<img src=x onerror=alert(1)>$",
        ':::lab circle tau="><script>alert(1)</script>\n:::',
        "[a]: javascript:alert(1)\n\n[a]",
        '<http://a" onclick="alert(1)>',
    ],
)
def test_markup_of_a_statement_is_inert(text: str) -> None:
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            allowed = {"id", "class", "href", "rel", "title", "data-island", "data-lab", "data-settings"}
            if tag in ("script", "img", "svg", "math", "style", "iframe", "base", "form", "input"):
                found.append(tag)
            ours = {("tabindex", "0")} if tag == "pre" else set()  # so that keys scroll long lines of code
            found.extend(name for name, value in attrs if name not in allowed and (name, value) not in ours)
            links = [value or "" for name, value in attrs if name == "href"]
            found.extend(link for link in links if link.split(":")[0].lower() not in ("http", "https", "mailto"))

    Reader().feed(render(text).html)

    assert found == []
