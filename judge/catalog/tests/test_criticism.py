import pytest

from judge.catalog.criticism import criticize
from judge.catalog.package import ProblemPackage
from judge.catalog.tests.packages import PACKAGE, changed, replaced

CHECKS = "checks/test_standardize.py"


def said(package: ProblemPackage) -> list[str]:
    return [f"{complaint.severity}: {complaint}" for complaint in criticize(package)]


def test_the_package_that_is_started_has_no_faults() -> None:
    assert said(PACKAGE) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (
            "problem.toml",
            'standardize = "Tensor"',
            'standardize = "Matrix"',
            "error: problem.toml:16: [functions] says that standardize returns 'Matrix'; write one of Tensor, Module, "
            "int, float, bool, str, None, list, dict, tuple, Any, or several in parentheses: (Tensor, int)",
        ),
        (
            "problem.toml",
            'title = "Taking care"',
            'title = "Care"',
            "warning: problem.toml:23: the section care is called 'Care' here and 'Taking care' in statement.md; "
            "give both the same title",
        ),
        (
            "statement.md",
            "## Taking care {#care}",
            "## Taking care",
            "error: statement.md:20: the section 'Taking care' has no anchor; give it an anchor: ## Title {#name}",
        ),
        (
            "statement.md",
            "[Gradients pass",
            "[Gradients]{#care} [pass",
            "error: statement.md:22: the anchor #care is given twice; rename one of the two",
        ),
        (
            "statement.md",
            "{#mean}",
            "{#average}",
            "error: checks/test_standardize.py:27: the check shift names the sentence 'mean', which statement.md does "
            "not have; mark that sentence there: [...]{#mean}",
        ),
        (
            "statement.md",
            "{#mean}",
            "{#mean} [More.]{#more}",
            "warning: statement.md:10: no check stands for the sentence #more; write a check with that sentence, or "
            "leave the anchor out",
        ),
        (
            "statement.md",
            r"\sum_{j=1}^{D}",
            r"\summe_{j=1}^{D}",
            r"error: statement.md:12: the formula 'y_{ij} = \\frac{x_{ij} - \\mu_i}{\\sqrt{\\sigma_i^2...' can't be "
            r"drawn: \summe is no command of KaTeX; mend the TeX",
        ),
        (
            "statement.md",
            "You write",
            "[You](#you) write",
            "error: statement.md:3: the link to '#you' leads nowhere; write an address with https://, an #anchor of "
            "the statement, or the page of a lab",
        ),
        (
            "statement.md",
            "You write",
            "You <b>write</b>",
            "warning: statement.md:3: <b> is shown as text; use Markdown; HTML is not read",
        ),
        (
            "notes/01-why.md",
            "one sample",
            "![one](sample.png)",
            "error: notes/01-why.md:3: images are not shown; say it in words, or link to the image",
        ),
        (
            "notes/01-why.md",
            "one sample",
            "$ 5 and [a sentence] {#five}",
            "error: notes/01-why.md:3: an anchor {#...} is not read as one; write `## Heading {#name}`, or "
            "`[A sentence.]{#name}` without a space before the brace",
        ),
        (
            CHECKS,
            'section="task",\n    sentence="mean"',
            'section="tasks",\n    sentence="mean"',
            "error: checks/test_standardize.py:27: the check shift names the section 'tasks', which problem.toml does "
            "not list; name one of care, task",
        ),
        (
            CHECKS,
            "def test_shift(solution, rng)",
            "def test_value(solution, rng)",
            "error: checks/test_standardize.py:27: the check value is defined again; first in "
            "checks/test_standardize.py:15; give it a name of its own",
        ),
        (
            CHECKS,
            "def test_shift(solution, rng)",
            "def test_shift(solution, seed)",
            "error: checks/test_standardize.py:27: test_shift asks for the unknown 'seed'; use `solution` and `rng`, "
            "or give it values with pytest.mark.parametrize",
        ),
        (
            CHECKS,
            "    run = solution",
            "    assert x.dim() == 2\n    run = solution",
            "error: checks/test_standardize.py:81: a bare assert would count as a broken check; use close, equal, "
            "ensure or fail, which tell the learner what came",
        ),
        (
            CHECKS,
            '    hint="Ask for the number of dimensions before you compute.",\n',
            "",
            "warning: checks/test_standardize.py:90: the check refusal has no hint; say what to think about, without "
            "the code",
        ),
        (
            CHECKS,
            "The variance is a mean",
            "The variance $\\\\sigma^2$ is a $\\\\mean$",
            "error: checks/test_standardize.py:13: the formula '\\\\mean' can't be drawn: \\mean is no command of "
            "KaTeX; mend the TeX",
        ),
        (
            "starter.py",
            "def standardize",
            "def normalize",
            "error: starter.py: it does not define standardize; define every function of [functions]",
        ),
        (
            "wrong/float32.py",
            'fails = ["value"]',
            'fails = ["values"]',
            "error: wrong/float32.py:3: fails names 'values', which is no check; name one of the checks: a function's "
            "name without test_",
        ),
    ],
)
def test_a_fault_is_told_with_its_place_and_remedy(file: str, old: str, new: str, complaint: str) -> None:
    assert complaint in said(replaced(file, old, new))


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"notes/02-more.md": "More."},
            "error: notes/02-more.md: problem.toml does not list it; add it to [[notes]], or remove the file",
        ),
        (
            {"notes/01-why.md": "\n"},
            "error: notes/01-why.md:1: it is empty; write what it should say",
        ),
        (
            {"starter.py": PACKAGE.reference},
            "error: starter.py: it is the reference; leave out what the learner has to write",
        ),
        (
            {"correct/layer_norm.py": None},
            "warning: correct/: there is no other correct solution; write the solution in another style, to see that "
            "the checks allow it",
        ),
        (
            {"experiment.py": "def main(): ..."},
            "error: experiment.py: it does not define run; write `def run(solution): ...`",
        ),
        (
            {"TODO.txt": "everything"},
            "warning: TODO.txt: nothing reads this file; remove it; docs/authoring.md lists the files of a package",
        ),
        (
            {"checks/test_more.py": "def test_more(solution): ..."},
            'error: checks/test_more.py:1: test_more has no @check(...); put @check("What holds when it passes", '
            'section="...") above it',
        ),
    ],
)
def test_files_that_are_missing_or_too_many(files: dict[str, str | None], complaint: str) -> None:
    assert said(changed(files)) == [complaint]


LAB = """

[[labs]]
name = "rows"
title = "Rows"
summary = "A row, before and after."
file = "labs/rows.md"
"""


def test_pages_of_labs_can_be_linked_to_and_are_read() -> None:
    files = {
        "problem.toml": PACKAGE.files["problem.toml"] + LAB,
        "labs/rows.md": "[here](../rows/?rows.tau=1#top) [home](..) [there](../columns/)\n",
        "notes/01-why.md": "See [the lab](../labs/rows/).",
    }

    assert said(changed(files)) == [
        "error: labs/rows.md:1: the link to '..' leads nowhere; write an address with https://, an #anchor of the "
        "statement, or the page of a lab",
        "error: labs/rows.md:1: the link to '../columns/' leads nowhere; write an address with https://, an #anchor of "
        "the statement, or the page of a lab",
    ]


def test_a_lab_that_does_not_exist_is_told() -> None:
    text = PACKAGE.statement + "\n:::lab nothing tau=1\nA figure.\n:::\n"

    (complaint,) = said(changed({"statement.md": text}))

    assert complaint.startswith("error: statement.md:25: there is no lab 'nothing'; write one of ")


def test_a_question_must_ask_something_that_can_be_drawn() -> None:
    text = PACKAGE.files["notes/01-why.md"]
    asked = ":::question\nNo.\n:::\n\n:::question Is it $\\nothing$?\nNo.\n:::\n"

    empty, unknown = said(changed({"notes/01-why.md": asked + text}))

    assert empty == "error: notes/01-why.md:1: a question asks nothing; write :::question and what is asked"
    assert unknown.startswith("error: notes/01-why.md:5: the formula '\\\\nothing' can't be drawn: ")


def test_sections_in_another_order_are_told_once() -> None:
    text = PACKAGE.files["problem.toml"]
    task, care = text.index("[[sections]]"), text.rindex("[[sections]]")
    end = text.index("[[notes]]")
    swapped = text[:task] + text[care:end] + text[task:care] + text[end:]

    assert said(changed({"problem.toml": swapped})) == [
        "error: problem.toml: [[sections]] are in another order than in statement.md; list them as they come there: "
        "task, care"
    ]
