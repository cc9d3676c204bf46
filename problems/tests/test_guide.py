"""The notes on Momentum Contrast: every computed figure stands in its note, and every section is whole."""

from __future__ import annotations

import re

import pytest

from judge.catalog.package import Note, read_folder
from problems.tests.guide_figures import EXPERIMENT, METHOD, MOCO, NOTES, ORDERS, figures, train

COMPUTED = figures()
PACKAGE = read_folder(MOCO)


@pytest.mark.parametrize("note", sorted(COMPUTED))
def test_a_note_has_the_figures_that_are_computed(note: str) -> None:
    text = (NOTES / note).read_text(encoding="utf-8")

    assert [passage for passage in COMPUTED[note] if passage not in text] == []


def test_the_run_that_is_varied_is_that_of_the_package() -> None:
    supplied = EXPERIMENT.run(METHOD)["loss"]

    assert train("own")[0] == [float(loss) for loss in supplied]
    assert len({tuple(train(order)[0]) for order in ORDERS}) == len(ORDERS) - 1  # the paper's order changes nothing


@pytest.mark.parametrize("note", PACKAGE.notes, ids=lambda note: note.anchor)
def test_every_section_ends_with_one_question(note: Note) -> None:
    text = PACKAGE.files[note.file].rstrip()

    assert len(re.findall(r"^:::question .*\?$", text, re.MULTILINE)) == 1
    assert text.endswith("\n:::")
    assert text.rindex("\n:::question ") > text.rindex("\n### ")


def test_the_guide_has_its_eight_sections_and_live_figures() -> None:
    text = "".join(PACKAGE.files[note.file] for note in PACKAGE.notes)

    assert [note.title for note in PACKAGE.notes] == [
        "The negatives problem",
        "A dictionary as a queue",
        "Consistency and the momentum encoder",
        "One training step, end to end",
        "MoCo v2",
        "SimCLR or MoCo",
        "What contrastive methods assume",
        "Beyond the exercise",
    ]
    assert re.findall(r"^:::lab ([\w-]+)", text, re.MULTILINE) == ["dictionary-size", "circle", "false-negatives"]
    assert text.count("```python") == 1
