"""Diagnosis in the real sandbox: the same mistakes, written by other hands.

Each file in `variants/<package>/` is a whole submission. The block at its head names the known mistakes that it makes;
where several of them cannot be told apart by any check, one of those is enough.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.catalog.diagnosis import Diagnosis, Sureness, diagnose
from judge.catalog.package import ProblemPackage
from judge.catalog.signatures import Signature
from judge.catalog.signing import sign
from judge.catalog.verify.jobs import Judged, Pool, Task
from problems.tests.support import Judge
from sandbox.client import Client

VARIANTS = Path(__file__).parent / "variants" / "moco"
BLOCK = re.compile(r"# /// variant\n((?:#.*\n)+?)# ///\n")
AT_LEAST = 0.8
"""The share of variants whose first diagnosis must be right."""

pytestmark = pytest.mark.timeout(600)


def mistakes_of(variant: Path) -> list[str]:
    """The known mistakes that a variant makes, as files of the package."""
    found = BLOCK.match(variant.read_text())
    assert found, f"{variant.name} does not begin with a block that says what it is a variant of"
    of: list[str] = tomllib.loads(re.sub(r"^# ?", "", found[1], flags=re.MULTILINE))["of"]
    return of


@pytest.fixture(scope="module")
def package(judges: Callable[[str], Judge]) -> ProblemPackage:
    return judges("moco").package


@pytest.fixture(scope="module")
def signatures(package: ProblemPackage, sandbox_client: Client) -> list[Signature]:
    return sign(package, package.mistakes, sandbox_client)


@pytest.fixture(scope="module")
def diagnosed(
    package: ProblemPackage, signatures: list[Signature], sandbox_client: Client
) -> dict[str, list[Diagnosis]]:
    """Variant -> what was found, with other inputs than those of the signatures."""
    tasks = [Task(variant.name, variant.read_text(), seed=77) for variant in sorted(VARIANTS.glob("*.py"))]
    return {run.task.name: found(signatures, run) for run in Pool(package, sandbox_client).run(tasks)}


def found(signatures: list[Signature], run: Judged) -> list[Diagnosis]:
    assert not run.fault, run.fault
    return [] if run.is_accepted else diagnose(signatures, [(result.id, result) for result in run.results])


def test_there_are_many_variants_and_each_names_mistakes_of_the_package(package: ProblemPackage) -> None:
    known = {mistake.file for mistake in package.mistakes}
    variants = sorted(VARIANTS.glob("*.py"))
    assert len(variants) >= 40
    for variant in variants:
        of = mistakes_of(variant)
        assert of, variant.name
        assert set(of) <= known, variant.name


def test_the_first_diagnosis_of_most_variants_is_right(diagnosed: dict[str, list[Diagnosis]]) -> None:
    missed = {
        name: [diagnosis.mistake for diagnosis in diagnoses]
        for name, diagnoses in diagnosed.items()
        if not diagnoses or diagnoses[0].mistake not in mistakes_of(VARIANTS / name)
    }
    share = 1 - len(missed) / len(diagnosed)
    print(f"first diagnosis right: {len(diagnosed) - len(missed)} of {len(diagnosed)} variants ({share:.0%})")
    assert share >= AT_LEAST, missed


def test_what_is_called_sure_is_right(diagnosed: dict[str, list[Diagnosis]]) -> None:
    wrong = {
        (name, diagnosis.mistake)
        for name, diagnoses in diagnosed.items()
        for diagnosis in diagnoses
        if diagnosis.sureness is Sureness.SURE and diagnosis.mistake not in mistakes_of(VARIANTS / name)
    }
    assert wrong == set()


@pytest.mark.parametrize(
    ("variant", "mistakes"),
    [
        ("two_denominator_and_convention", {"loss_positive_not_in_denominator", "momentum_swapped"}),
        ("two_sum_and_slice", {"loss_sum", "enqueue_no_wrap"}),
        ("two_bools", {"loss_accepts_bool", "momentum_accepts_bool"}),
        ("three_values", {"loss_temperature_ignored", "momentum_twice", "enqueue_cat"}),
        ("three_small", {"loss_default_temperature", "momentum_returns_key", "enqueue_keeps_first"}),
        ("three_ends", {"loss_no_epsilon", "momentum_refuses_ends", "enqueue_divisible"}),
    ],
)
def test_one_mistake_in_each_function_is_found_in_each(
    diagnosed: dict[str, list[Diagnosis]], variant: str, mistakes: set[str]
) -> None:
    assert mistakes <= {Path(diagnosis.mistake).stem for diagnosis in diagnosed[f"{variant}.py"]}


def test_the_known_mistakes_themselves_are_recognized(
    package: ProblemPackage, signatures: list[Signature], sandbox_client: Client
) -> None:
    names = ["wrong/loss_sum.py", "wrong/loss_key_attached.py", "wrong/momentum_swapped.py", "wrong/enqueue_no_wrap.py"]
    tasks = [Task(name, package.files[name], seed=5) for name in names]
    for run in Pool(package, sandbox_client).run(tasks):
        (diagnosis,) = found(signatures, run)
        assert (diagnosis.mistake, diagnosis.sureness) == (run.task.name, Sureness.SURE)
        assert diagnosis.checks == run.failed


def test_correct_solutions_and_the_starter_get_no_diagnosis(
    package: ProblemPackage, signatures: list[Signature], sandbox_client: Client
) -> None:
    names = ["reference.py", "starter.py", *(name for name in sorted(package.files) if name.startswith("correct/"))]
    tasks = [Task(name, package.files[name], seed=9) for name in names]
    runs = Pool(package, sandbox_client).run([*tasks, Task("an empty file", "", seed=9)])
    assert {run.task.name: found(signatures, run) for run in runs} == {run.task.name: [] for run in runs}
    # Not only because they passed: with nothing that failed, nothing is named either.
    reference = runs[0]
    assert diagnose(signatures, [(result.id, result) for result in reference.results]) == []
