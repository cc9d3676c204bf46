from pathlib import Path

import pytest

from judge.catalog.mistakes import Mistake
from judge.catalog.package import PackageError, parse, read_folder, version_of
from judge.tests import halving
from sandbox import protocol

THIRD = """\
# /// mistake
# title = "Divides by three"
# fails = ["two"]
# hint = "Half is a division by **two**."
# ///
def halve(x):
    return x / 3
"""


def test_a_folder_says_what_its_problem_is(problem_folder: Path) -> None:
    package = read_folder(problem_folder)

    assert package.slug == "halving"
    assert package.paper.short_authors == "Ada Able et al."
    assert package.limits == protocol.Limits(check_seconds=1.0, total_seconds=5.0, memory_mb=512, output_kb=64)
    assert [section.id for section in package.sections] == ["halving", "care"]
    assert package.files == halving.FILES


def test_the_sandbox_gets_no_reference_and_no_mistakes() -> None:
    files = {**halving.FILES, "wrong/third.py": THIRD, "experiment.py": "run = None\n"}

    sent = parse("halving", files).for_judging()

    assert sent.checks == {"test_halving.py": halving.FILES["checks/test_halving.py"]}
    assert sent.supplied == {"experiment.py": "run = None\n"}
    assert sent.functions == {"halve": "Tensor"}


def test_the_version_changes_with_every_file_and_name() -> None:
    version = version_of(halving.FILES)
    renamed = {name.replace("01-", "02-"): text for name, text in halving.FILES.items()}

    assert len(version) == 16
    assert version == version_of(dict(reversed(halving.FILES.items())))
    assert version_of({**halving.FILES, "starter.py": ""}) != version
    assert version_of(renamed) != version


def test_all_complaints_come_at_once() -> None:
    description = halving.FILES["problem.toml"]
    description = description.replace("format = 1", "format = 2").replace('"easy"', '"trivial"')
    description = description.replace("year = 2021", 'year = "2021"').replace("position", "postion")
    files = {**halving.FILES, "problem.toml": description, "reference.py": "def halve(x:\n"}
    del files["starter.py"]

    with pytest.raises(PackageError) as raised:
        parse("halving", files)

    assert [str(complaint) for complaint in raised.value.complaints] == [
        "starter.py: this file is missing; add it; docs/authoring.md shows each file",
        "problem.toml:1: format is 2; write `format = 1`, the format that is read here",
        "problem.toml:4: difficulty is 'trivial'; write one of easy, medium, hard",
        "problem.toml:11: paper.year is '2021'; write a whole number",
        "problem.toml:6: postion is not a known field; remove it or correct it; known are charts, difficulty, "
        "format, functions, labs, limits, notes, paper, position, runs, sections, summary, title, topics",
        "reference.py:1: it is not valid Python: '(' was never closed (reference.py, line 1); mend the syntax",
    ]


def test_broken_toml_is_the_one_complaint_about_it() -> None:
    with pytest.raises(PackageError) as raised:
        parse("halving", {**halving.FILES, "problem.toml": "title = \n"})

    (complaint,) = raised.value.complaints
    assert str(complaint).startswith("problem.toml:1: it is not valid TOML: Invalid value (at line 1, column 9)")


def test_a_file_that_is_no_text_is_named(problem_folder: Path) -> None:
    (problem_folder / "notes" / "picture.png").write_bytes(b"\x89PNG")

    with pytest.raises(PackageError) as raised:
        read_folder(problem_folder)

    assert str(raised.value) == "notes/picture.png: byte 0 is not UTF-8 text; save the file as UTF-8"


def test_a_link_out_of_the_folder_is_refused(problem_folder: Path) -> None:
    (problem_folder / "notes" / "passwd.md").symlink_to("/etc/passwd")

    with pytest.raises(PackageError, match=r"notes/passwd.md: it is not a plain file"):
        read_folder(problem_folder)


def test_known_mistakes_say_what_they_are() -> None:
    (mistake,) = parse("halving", {**halving.FILES, "wrong/third.py": THIRD}).mistakes

    assert mistake == Mistake("wrong/third.py", "Divides by three", ("two",), "Half is a division by **two**.")


def test_complaints_about_a_mistake_name_its_line() -> None:
    block = THIRD.replace('fails = ["two"]', 'fails = "two"').replace("# hint", "# tip")
    files = {**halving.FILES, "wrong/bare.py": "def halve(x): return x\n", "wrong/third.py": block}

    with pytest.raises(PackageError) as raised:
        parse("halving", files)

    assert [str(complaint) for complaint in raised.value.complaints] == [
        "wrong/bare.py:1: it does not say which mistake it shows; begin with `# /// mistake`, then title, fails and "
        "hint as TOML in comments, then `# ///`",
        "wrong/third.py:3: fails is 'two'; write a list of texts",
        "wrong/third.py: hint is missing; write a text in quotes",
        "wrong/third.py:4: tip is not a known field; remove it or correct it; known are fails, hint, says, title",
    ]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Taking care"', "title = 3", "28: sections[1].title is 3; write a text in quotes"),
        (
            'venue = "Tests"',
            'venue = "ICLR 2022"',
            "12: paper.venue is 'ICLR 2022'; leave the year to `year`, which is shown behind it",
        ),
    ],
)
def test_complaints_about_a_table_name_the_line_in_it(old: str, new: str, complaint: str) -> None:
    description = halving.FILES["problem.toml"].replace(old, new)

    with pytest.raises(PackageError) as raised:
        parse("halving", {**halving.FILES, "problem.toml": description})

    assert [str(each) for each in raised.value.complaints] == [f"problem.toml:{complaint}"]
