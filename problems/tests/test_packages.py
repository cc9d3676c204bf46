"""What every package must hold in the real sandbox: what is right passes, and each known mistake is caught.

A folder that is added to `problems/` is tested here without another line. What only one package says is tested in a
file of its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import pytest

from judge.catalog.markdown import render
from problems.tests.support import SLUGS, Judge, correct_files, failed, wrong_files
from sandbox.protocol import Status, Verdict

Judges = Callable[[str], Judge]
CORRECT = [(slug, name) for slug in SLUGS for name in correct_files(slug)]
WRONG = [(slug, name) for slug in SLUGS for name in wrong_files(slug)]
every_package = pytest.mark.parametrize("slug", SLUGS)


@pytest.mark.parametrize(("slug", "name"), CORRECT)
def test_a_correct_solution_passes_every_check(judges: Judges, slug: str, name: str) -> None:
    judge = judges(slug)
    results, outcome = judge.file(name)
    assert {check: results[check].message for check in failed(results)} == {}
    assert outcome.verdict is Verdict.ACCEPTED
    assert len(results) == len(judge.checks)


@pytest.mark.parametrize("seed", [1, 2, 3])
@every_package
def test_other_random_inputs_change_nothing(judges: Judges, slug: str, seed: int) -> None:
    results, outcome = judges(slug).file("reference.py", seed)
    assert (failed(results), outcome.verdict) == (set(), Verdict.ACCEPTED)


@pytest.mark.parametrize(("slug", "name"), WRONG)
def test_a_known_mistake_fails_the_checks_that_it_names(judges: Judges, slug: str, name: str) -> None:
    judge = judges(slug)
    block = judge.mistake(name)
    assert sorted(block.keys() - {"says"}) == ["fails", "hint", "title"]
    results, outcome = judge.file(name)
    assert block["fails"]
    assert set(block["fails"]) <= failed(results)
    assert all(results[check].message for check in failed(results))
    assert outcome.verdict is not Verdict.ACCEPTED


@every_package
def test_every_required_check_is_failed_by_a_known_mistake(judges: Judges, slug: str) -> None:
    judge = judges(slug)
    caught = set().union(*(failed(judge.file(name)[0]) for name in wrong_files(slug)))
    assert {check.id for check in judge.checks if check.required} - caught == set()


@every_package
def test_no_check_breaks_on_a_known_mistake(judges: Judges, slug: str) -> None:
    judge = judges(slug)
    broken = {
        (name, result.id): result.message
        for name in wrong_files(slug)
        for result in judge.file(name)[0].values()
        if result.status is Status.JUDGE_ERROR
    }
    assert broken == {}


@every_package
def test_the_starter_says_what_is_left_to_write(judges: Judges, slug: str) -> None:
    results, outcome = judges(slug).file("starter.py")
    assert outcome.verdict is Verdict.RUNTIME_ERROR
    assert {result.status for result in results.values()} == {Status.PASSED, Status.RUNTIME_ERROR}
    assert all("is not written yet" in results[check].message for check in failed(results))
    passed = results.keys() - failed(results)
    assert all("_refuses_" in check for check in passed), "the supplied helpers pass nothing but refusals"


@every_package
def test_an_empty_file_ends_with_one_clear_sentence(judges: Judges, slug: str) -> None:
    judge = judges(slug)
    _, outcome = judge.text("")
    assert outcome.verdict is Verdict.RUNTIME_ERROR
    assert outcome.message == (
        f"Your file defines none of the functions that this problem asks for: {', '.join(judge.package.functions)}."
    )


@every_package
def test_every_check_points_into_the_statement_and_has_a_hint(judges: Judges, slug: str) -> None:
    judge = judges(slug)
    anchors = render(judge.package.statement).anchors
    sections = {section.id for section in judge.package.sections}
    assert sections <= set(anchors)
    results = judge.file("starter.py")[0]
    for check in judge.checks:
        assert check.section in sections, check
        assert check.sentence in anchors, check
        assert check.title
        assert results[check.id].hint or check.id not in failed(results), check


@every_package
def test_every_sentence_of_the_contract_has_a_check(judges: Judges, slug: str) -> None:
    judge = judges(slug)
    stated = set(re.findall(r"\]\{#([\w-]+)\}", judge.package.statement))
    covered = {check.sentence for check in judge.checks}
    assert stated - covered == set()
    assert any("_refuses_" in check.id for check in judge.checks)


@every_package
def test_the_reference_keeps_to_the_helpers_of_the_starter(judges: Judges, slug: str) -> None:
    starter, reference = (_helpers(judges(slug).package.files[name]) for name in ("starter.py", "reference.py"))
    assert starter
    assert starter == reference


def _helpers(source: str) -> dict[str, str]:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.unparse(node) for node in functions if node.name.startswith("validate_")}
