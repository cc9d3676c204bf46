"""What every package must hold in the real sandbox: it proves itself, and says clearly what is left to write.

A folder that is added to `problems/` is tested here without another line. What only one package says is tested in a
file of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from judge.catalog.charts import kept_run
from judge.catalog.verify import verify
from problems.tests.support import SLUGS, Judge, failed
from sandbox.client import Client
from sandbox.protocol import Status, Verdict

Judges = Callable[[str], Judge]
EVERY_MUTANT = 12
"""A sample of the mutants; `verify_problem` judges all of them."""
every_package = pytest.mark.parametrize("slug", SLUGS)


@pytest.mark.timeout(900)
@every_package
def test_a_package_proves_itself(sandbox_client: Client, judges: Judges, slug: str) -> None:
    found = verify(judges(slug).package, sandbox_client, every_mutant=EVERY_MUTANT)
    assert [str(complaint) for complaint in found.complaints] == []
    assert {result.file: result.failed for result in found.solutions if result.failed} == {}
    assert {result.file: result.missed for result in found.mistakes if result.missed or not result.names} == {}
    assert [column.id for column in found.coverage if column.required and not column.mistakes] == []
    assert {result.file for result in found.mistakes if result.verdict == Verdict.ACCEPTED} == set()
    assert found.mutation is not None
    assert found.mutation.percent == 100.0
    assert all(check.sentence for check in found.checks)
    assert any("_refuses_" in check.id for check in found.checks)


@every_package
def test_every_run_of_the_experiment_is_drawn_with_every_chart(judges: Judges, slug: str) -> None:
    package, (results, _) = judges(slug).package, judges(slug).file("reference.py")
    assert package.runs
    for run in package.runs:
        kept = kept_run(results[run.check].details)
        assert kept is not None
        assert kept["end"] == "agrees"
        shapes = {state["name"]: state["shape"] for state in kept["states"]}
        assert [chart.unfit(shapes) for chart in package.charts] == [None] * 3


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
def test_the_reference_keeps_to_the_helpers_of_the_starter(judges: Judges, slug: str) -> None:
    starter, reference = (_helpers(judges(slug).package.files[name]) for name in ("starter.py", "reference.py"))
    assert starter
    assert starter == reference


def _helpers(source: str) -> dict[str, str]:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.unparse(node) for node in functions if node.name.startswith("validate_")}
