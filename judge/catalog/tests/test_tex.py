import pytest

from judge.catalog.tex import complaints_of


@pytest.mark.parametrize(
    "formula",
    [
        r"x",
        r"\frac{a}{b} + \frac12 + \sqrt[3]{x}",
        r"x'_i{}^2 + x_{i_j}^{2^k}",
        r"\left( \frac{a}{b} \right] + \Big( c \Big)",
        r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
        r"\begin{array}{c|c} a & b \\ \hline \end{array}",
        r"\operatorname*{argmax}_\theta \mathbb{E}_{x \sim p}[f(x)]",
        r"\text{up to $x$, in \textbf{bold}}, \quad 50\%",
        r"\lVert x \rVert_2 \cdot \hat{x} \in \mathbb{R}^{n \times d}",
    ],
)
def test_what_can_be_drawn(formula: str) -> None:
    assert complaints_of(formula) == []


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        ("", "the formula is empty"),
        (r"\hat{x", "an opening brace has no closing one"),
        (r"x}", "a closing brace has no opening one"),
        (r"\frac{a}", r"\frac lacks what it applies to"),
        (r"x_", "_ lacks what it applies to"),
        (r"a^b^c", "two ^ follow one symbol; put braces around the first part"),
        (r"\left( a", r"\left has no \right"),
        (r"a \right)", r"\right has no \left"),
        (r"\begin{aligned} a", r"\begin{aligned} has no \end{aligned}"),
        (r"\begin{tabular}{c} a \end{tabular}", r"\begin{tabular} names no environment of KaTeX"),
        (r"a &= b", "& stands outside of an environment such as aligned"),
        (r"\softmax(x)", r"\softmax is no command of KaTeX"),
        (r"50% of x", r"% begins a comment; write \%"),
        (r"\href{https://example.org}{x}", r"\href is no command of KaTeX"),
    ],
)
def test_what_can_not(formula: str, complaint: str) -> None:
    assert complaint in complaints_of(formula)
