"""The package on Momentum Contrast in the real sandbox: what is right passes, and each known mistake is caught."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from judge.catalog.markdown import render
from judge.catalog.package import ProblemPackage, read_folder
from sandbox.client import Client
from sandbox.protocol import CheckFinished, CheckInfo, CheckResult, Job, Outcome, Started, Status, Verdict

FOLDER = Path(__file__).parent.parent / "moco"
CORRECT = ["reference.py", *(f"correct/{path.name}" for path in sorted((FOLDER / "correct").glob("*.py")))]
WRONG = [f"wrong/{path.name}" for path in sorted((FOLDER / "wrong").glob("*.py"))]
MISTAKE = re.compile(r"^# /// mistake\n((?:#.*\n)+?)# ///\n")


class Judge:
    """Judges each text once, however many tests ask."""

    def __init__(self, client: Client, package: ProblemPackage) -> None:
        self.package = package
        self._client = client
        self._known: dict[tuple[str, int], tuple[tuple[CheckInfo, ...], dict[str, CheckResult], Outcome]] = {}

    def file(self, name: str, seed: int = 0) -> tuple[dict[str, CheckResult], Outcome]:
        return self.text(self.package.files[name], seed)

    def text(self, source: str, seed: int = 0) -> tuple[dict[str, CheckResult], Outcome]:
        return self._judged(source, seed)[1:]

    @property
    def checks(self) -> tuple[CheckInfo, ...]:
        return self._judged(self.package.files["reference.py"], 0)[0]

    def _judged(self, source: str, seed: int) -> tuple[tuple[CheckInfo, ...], dict[str, CheckResult], Outcome]:
        if (source, seed) not in self._known:
            job = Job("test", source, self.package.for_judging(), self.package.limits, seed=seed)
            checks: tuple[CheckInfo, ...] = ()
            results = {}
            for event in self._client.judge(job):
                if isinstance(event, Started):
                    checks = event.checks
                elif isinstance(event, CheckFinished):
                    results[event.result.id] = event.result
                elif isinstance(event, Outcome):
                    self._known[source, seed] = checks, results, event
        return self._known[source, seed]


@pytest.fixture(scope="module")
def judge(sandbox_client: Client) -> Judge:
    return Judge(sandbox_client, read_folder(FOLDER))


def mistake(name: str) -> dict[str, Any]:
    """The block at the head of a known mistake."""
    found = MISTAKE.match((FOLDER / name).read_text())
    assert found, f"{name} does not begin with a mistake block"
    return tomllib.loads(re.sub(r"^# ?", "", found[1], flags=re.MULTILINE))


def failed(results: dict[str, CheckResult]) -> set[str]:
    return {name for name, result in results.items() if result.status is not Status.PASSED}


@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_solution_passes_every_check(judge: Judge, name: str) -> None:
    results, outcome = judge.file(name)
    assert {check: results[check].message for check in failed(results)} == {}
    assert outcome.verdict is Verdict.ACCEPTED
    assert len(results) == len(judge.checks)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_random_inputs_change_nothing(judge: Judge, seed: int) -> None:
    results, outcome = judge.file("reference.py", seed)
    assert (failed(results), outcome.verdict) == (set(), Verdict.ACCEPTED)


@pytest.mark.parametrize("name", WRONG)
def test_a_known_mistake_fails_the_checks_that_it_names(judge: Judge, name: str) -> None:
    block = mistake(name)
    assert sorted(block) == ["fails", "hint", "title"]
    results, outcome = judge.file(name)
    assert set(block["fails"]) <= failed(results)
    assert all(results[check].message for check in failed(results))
    assert outcome.verdict is not Verdict.ACCEPTED


def test_every_required_check_is_failed_by_a_known_mistake(judge: Judge) -> None:
    caught = set().union(*(failed(judge.file(name)[0]) for name in WRONG))
    assert {check.id for check in judge.checks if check.required} - caught == set()


def test_a_gradient_that_is_not_finite_at_zero_is_told_and_costs_nothing(judge: Judge) -> None:
    norm = "torch.linalg.vector_norm(rows, dim=1, keepdim=True)"
    reference = judge.package.files["reference.py"]
    assert norm in reference
    results, outcome = judge.text(reference.replace(norm, "rows.square().sum(dim=1, keepdim=True).sqrt()"))
    assert failed(results) == {"loss_gradient_zero_row"} == {check.id for check in judge.checks if not check.required}
    assert outcome.verdict is Verdict.ACCEPTED


def test_no_check_breaks_on_a_known_mistake(judge: Judge) -> None:
    broken = {
        (name, result.id): result.message
        for name in WRONG
        for result in judge.file(name)[0].values()
        if result.status is Status.JUDGE_ERROR
    }
    assert broken == {}


def test_the_starter_says_what_is_left_to_write(judge: Judge) -> None:
    results, outcome = judge.file("starter.py")
    assert outcome.verdict is Verdict.RUNTIME_ERROR
    assert {result.status for result in results.values()} == {Status.PASSED, Status.RUNTIME_ERROR}
    assert "moco_loss is not written yet" in results["loss_hand_value"].message
    passed = {result.id for result in results.values() if result.status is Status.PASSED}
    assert all("_refuses_" in check for check in passed), "the supplied helpers pass nothing but refusals"


def test_an_empty_file_ends_with_one_clear_sentence(judge: Judge) -> None:
    _, outcome = judge.text("")
    assert outcome.verdict is Verdict.RUNTIME_ERROR
    assert outcome.message == (
        "Your file defines none of the functions that this problem asks for: moco_loss, momentum_update, enqueue."
    )


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("wrong/loss_positive_twice.py", "Step 1: loss: expected 0.736361, got "),
        ("wrong/loss_norm_detached.py", "Step 1: query encoder at [0, 0]: expected "),
        ("wrong/momentum_swapped.py", "Step 1: key encoder at [0, 0]: expected "),
        ("wrong/enqueue_not_normalized.py", "Step 1: dictionary at [0, 0]: expected "),
        ("wrong/enqueue_pointer_by_one.py", "Step 1: pointer: expected 2, got 1."),
        ("wrong/enqueue_no_wrap.py", "Step 3: dictionary at [0, 0]: expected "),
    ],
)
def test_the_experiment_names_the_first_step_and_state_that_differ(judge: Judge, name: str, beginning: str) -> None:
    results, _ = judge.file(name)
    assert results["experiment_trajectory"].message.startswith(beginning)


def test_every_check_points_into_the_statement_and_has_a_hint(judge: Judge) -> None:
    anchors = render(judge.package.statement).anchors
    sections = {section.id for section in judge.package.sections}
    assert sections <= set(anchors)
    hints = {result.id: result.hint for result in judge.file("starter.py")[0].values()}
    for check in judge.checks:
        assert check.section in sections, check
        assert check.sentence in anchors, check
        assert check.title
        assert hints[check.id] or check.id not in failed(judge.file("starter.py")[0]), check


def test_every_sentence_of_the_contract_has_a_check(judge: Judge) -> None:
    parts = judge.package.statement.split("\n## ")
    stated = {anchor for part in parts for anchor in re.findall(r"\]\{#([\w-]+)\}", part)}
    covered = {check.sentence for check in judge.checks}
    # "A broken contract raises TypeError or ValueError" is what every check of a refusal asks.
    assert stated - covered == {"broken-contract"}
    assert sum("_refuses_" in check.id for check in judge.checks) >= 8


def test_the_reference_keeps_to_the_helpers_of_the_starter(judge: Judge) -> None:
    helpers = [_helpers(judge.package.files[name]) for name in ("starter.py", "reference.py")]
    assert sorted(helpers[0]) == [
        "validate_coefficient",
        "validate_pair",
        "validate_pointer",
        "validate_rows",
        "validate_temperature",
    ]
    assert helpers[0] == helpers[1]


def _helpers(source: str) -> dict[str, str]:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return {node.name: ast.unparse(node) for node in functions if node.name.startswith("validate_")}
