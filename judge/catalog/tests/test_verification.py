"""What verification finds: of a package that proves itself, and of the same package with one thing spoilt."""

import pytest

from judge.catalog.package import ProblemPackage
from judge.catalog.table import Complaint
from judge.catalog.tests.packages import PACKAGE, changed, replaced
from judge.catalog.verify import Progress, Verification, verify
from judge.catalog.verify.calibration import assess_margins
from judge.catalog.verify.faults import assess_faults
from judge.catalog.verify.jobs import Judged, Pool, Task
from judge.catalog.verify.known import assess_mistakes, mistake_tasks
from judge.catalog.verify.messages import assess_messages
from judge.catalog.verify.mutation import Mutation
from judge.catalog.verify.probes import assess_probes, probe_tasks, probes_of
from judge.catalog.verify.solutions import assess_refused, assess_solutions, refused_tasks, solution_tasks
from sandbox.client import Client

CHECKS = "checks/test_standardize.py"
REFERENCE = PACKAGE.reference


@pytest.fixture(scope="module")
def found(sandbox_client: Client) -> Verification:
    return verify(PACKAGE, sandbox_client)


def run(client: Client, package: ProblemPackage, tasks: list[Task]) -> list[Judged]:
    return Pool(package, client).run(tasks)


def said(complaints: list[Complaint]) -> list[str]:
    return [f"{complaint.severity}: {complaint}" for complaint in complaints]


def mistakes(client: Client, package: ProblemPackage) -> list[str]:
    judged = run(client, package, mistake_tasks(package))
    return said(assess_mistakes(package, judged[0].planned, judged)[2])


def test_a_package_proves_itself(found: Verification) -> None:
    assert found.complaints == ()
    assert found.is_verified
    assert [result.file for result in found.solutions] == ["reference.py", "correct/layer_norm.py"]
    assert {(result.verdict, result.runs, result.failed) for result in found.solutions} == {("accepted", 5, ())}
    assert [(result.file, result.verdict) for result in found.refused] == [
        ("starter.py", "runtime_error"),
        ("an empty file", "runtime_error"),
    ]
    assert found.refused[0].message.endswith(
        "NotImplementedError at line 11 of your file: standardize is not written yet"
    )
    assert found.mutation is not None
    assert (found.mutation.total, found.mutation.killed, found.mutation.percent) == (33, 33, 100.0)


def test_the_matrix_of_checks_and_mistakes(found: Verification) -> None:
    rows = {result.file: result for result in found.mistakes}
    columns = {column.id: column for column in found.coverage}

    assert rows["wrong/bessel.py"].names == ("value",)
    assert rows["wrong/bessel.py"].failed == ("value", "dtype", "epsilon", "gradient")
    assert rows["wrong/bessel.py"].beyond == ("dtype", "epsilon", "gradient")
    assert rows["wrong/bessel.py"].elsewhere == ("gradient",)
    assert columns["refusal"].mistakes == ("wrong/any_shape.py",)
    assert set(rows) == {file for column in found.coverage for file in column.mistakes}


def test_tolerances_stand_between_right_and_wrong(found: Verification) -> None:
    margins = {margin.check: margin for margin in found.margins}

    assert list(margins) == ["value", "shift", "dtype", "epsilon", "gradient"]
    value = margins["value"]
    assert value.error < 1e-14 < value.allowed < 1e-8
    assert value.error_ratio == pytest.approx(value.error / value.allowed)
    assert (value.dtype, value.what, value.distance_file) == ("float64", "result", "wrong/float32.py")
    assert value.distance is not None
    assert 1e-8 < value.distance < 1e-5


def test_limits_leave_room(found: Verification) -> None:
    budgets = {budget.limit: budget for budget in found.budgets}

    assert list(budgets) == ["check_seconds", "total_seconds", "memory_mb"]
    assert 0 < budgets["check_seconds"].used < budgets["total_seconds"].used < 7.5
    assert budgets["memory_mb"].used <= 64


def test_odd_results_are_refused(found: Verification) -> None:
    assert [result.probe for result in found.probes] == [
        *("another value", "NaN", "a wrong shape", "a wrong dtype", "a tensor subclass", "an empty tensor"),
        *("None", "a float"),
    ]
    assert {result.verdict for result in found.probes} == {"wrong_answer"}


def test_progress_is_told_run_by_run(sandbox_client: Client) -> None:
    told: list[Progress] = []

    verification = verify(changed({"correct/layer_norm.py": None}), sandbox_client, told.append)

    assert [(step.stage, step.done, step.total) for step in told[:6]] == [
        ("the reference", 1, 1),
        *(("correct solutions", number, 4) for number in range(1, 5)),
        ("mistakes, odd results, mutants", 1, 55),
    ]
    assert verification.jobs == len(told) == 60


def test_a_reference_that_fails_ends_the_verification(sandbox_client: Client) -> None:
    package = replaced("reference.py", "epsilon)", "2 * epsilon)")

    verification = verify(package, sandbox_client)

    assert verification.mutation is None
    assert verification.jobs == 10
    assert [complaint.file for complaint in verification.errors] == ["reference.py"] * len(verification.errors)
    assert str(verification.errors[0]).startswith(
        "reference.py: check value ends as failed (seed 0, 1 thread): Result at [0, 0]: expected "
    )


def test_checks_that_can_not_be_imported_end_it_at_once(sandbox_client: Client) -> None:
    package = changed({CHECKS: "import numpyy\n" + PACKAGE.files[CHECKS]})

    verification = verify(package, sandbox_client)

    assert (verification.jobs, verification.is_verified) == (1, False)
    assert said(list(verification.complaints)) == [
        "error: checks/test_standardize.py:1: it cannot be imported: ModuleNotFoundError: No module named 'numpyy'; "
        "mend what the message names"
    ]


def test_a_check_that_draws_from_somewhere_else_is_found(sandbox_client: Client) -> None:
    draw = (
        "    fail(f'The result has {torch.rand(1).item()} in it.') if solution.standardize(x).sum() > 1e9 else None\n"
    )
    noisy = draw.replace("> 1e9", "< 1e9").replace("fail(", "ensure(torch.rand(()) < 0, ")
    package = changed({CHECKS: PACKAGE.files[CHECKS] + SPOILT.format(arguments="solution, rng", body=noisy)})

    complaints = assess_solutions(run(sandbox_client, package, solution_tasks(package)))[1]

    assert any("check spoilt ends as failed" in complaint for complaint in said(complaints))


def test_a_correct_solution_that_needs_most_of_a_limit_is_found(sandbox_client: Client) -> None:
    hungry = REFERENCE.replace("    if x.dim() != 2", "    torch.ones(10, 1024, 1024)\n    if x.dim() != 2")
    limits = "[limits]\nmemory_mb = 64\n\n[functions]"
    description = PACKAGE.files["problem.toml"].replace("[functions]", limits)
    package = changed({"correct/hungry.py": hungry, "problem.toml": description})

    complaints = assess_solutions(run(sandbox_client, package, solution_tasks(package)))[1]

    assert {(complaint.file, complaint.remedy) for complaint in complaints} == {
        ("correct/hungry.py", "raise that limit in problem.toml: a correct solution must need less than half of it")
    }
    assert str(complaints[0]).startswith(
        "correct/hungry.py: check value ends as memory limit (seed 0, 1 thread, half of the limits): "
    )


def test_a_starter_that_is_accepted_or_hangs_is_found(sandbox_client: Client) -> None:
    package = changed({"starter.py": REFERENCE + "\n"})
    complaints = assess_refused(run(sandbox_client, package, refused_tasks(package)))[1]
    assert said(complaints) == ["error: starter.py: it is accepted; add checks that what is left to write is written"]

    endless = PACKAGE.starter + "\nwhile True:\n    pass\n"
    quick = PACKAGE.files["problem.toml"].replace("[functions]", "[limits]\ncheck_seconds = 0.2\n\n[functions]")
    package = changed({"starter.py": endless, "problem.toml": quick})
    complaints = assess_refused(run(sandbox_client, package, refused_tasks(package)))[1]
    assert said(complaints)[0].startswith("error: starter.py: it ends as time limit: While your file was loaded")


def test_a_mistake_that_passes_what_it_names_is_found(sandbox_client: Client) -> None:
    package = replaced("wrong/bessel.py", '["value"]', '["value", "shift"]')
    assert mistakes(sandbox_client, package) == [
        "error: wrong/bessel.py:3: it passes the check shift that must notice it; sharpen the check, or do not name it "
        "here"
    ]


def test_a_mistake_that_is_accepted_is_found(sandbox_client: Client) -> None:
    block = PACKAGE.files["wrong/bessel.py"].split("import torch")[0]
    assert mistakes(sandbox_client, changed({"wrong/none.py": block + REFERENCE})) == [
        "error: wrong/none.py:3: it passes the check value that must notice it; sharpen the check, or do not name it "
        "here",
        "error: wrong/none.py: it is accepted, although it is a mistake; add a required check that notices it",
    ]


def test_a_required_check_that_no_mistake_fails_is_found(sandbox_client: Client) -> None:
    assert mistakes(sandbox_client, changed({"wrong/any_shape.py": None})) == [
        "error: checks/test_standardize.py:91: no file in wrong/ fails the required check refusal; add the mistake "
        "that it is there to notice, or remove the check"
    ]


SPOILT = """

from sandbox.checks import fail


@check("Spoilt", section="task", sentence="mean", hint="None.")
def test_spoilt({arguments}):
    x = torch.arange(6.0).reshape(2, 3)
{body}"""


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (
            "    error = solution.standardize(x).sum().abs()\n    ensure(not error > 1e-4, 'Another mean.')\n",
            "error: checks/test_standardize.py:100: spoilt passes when standardize returns NaN, although it notices "
            "another value; write comparisons so that it fails them (`error <= allowed`), or use close",
        ),
        (
            "    ensure(solution.standardize(x)[0, 0].item() < 0, 'The first entry must be negative.')\n",
            "error: checks/test_standardize.py:102: the check spoilt breaks on standardize returning a wrong shape: "
            "RuntimeError: a Tensor with 3 elements cannot be converted to Scalar; compare a value with close or equal "
            "before computing with it",
        ),
        (
            "    ensure(solution.standardize(x).sum().item() < 1, '')\n",
            "error: checks/test_standardize.py:100: spoilt fails with a message that nobody can read when standardize "
            "returns another value: ''; say in a sentence what was expected and what came",
        ),
    ],
)
def test_a_check_that_is_blind_or_breaks_is_found(sandbox_client: Client, body: str, complaint: str) -> None:
    package = changed({CHECKS: PACKAGE.files[CHECKS] + SPOILT.format(arguments="solution", body=body)})
    probes = probes_of(package)

    judged = run(sandbox_client, package, probe_tasks(probes))

    assert complaint in said([*assess_probes(package, probes, judged)[1], *assess_faults(judged)])


def test_a_message_with_the_source_of_a_check_is_found(sandbox_client: Client) -> None:
    body = "    secret = solution.standardize(x)\n    fail(f'secret = solution.standardize(x) is {secret.tolist()}')\n"
    package = changed({CHECKS: PACKAGE.files[CHECKS] + SPOILT.format(arguments="solution", body=body)})

    judged = run(sandbox_client, package, [Task("reference.py", REFERENCE)])

    assert said(assess_messages(package, judged)) == [
        "error: checks/test_standardize.py:102: a message of spoilt shows this line of a hidden check; never use a "
        "bare assert, and put no code into a message"
    ]


def test_a_tolerance_that_separates_nothing_is_found(sandbox_client: Client) -> None:
    package = replaced(CHECKS, '"gradient of x", atol=1e-7, rtol=1e-7', '"gradient of x", atol=2e-12, rtol=0')
    package = changed(
        {
            CHECKS: package.files[CHECKS].replace('what="result for x + 5"', 'what="result", atol=4e-7'),
            "wrong/float32.py": PACKAGE.files["wrong/float32.py"].replace('"value"', '"shift"'),
        }
    )
    correct = run(sandbox_client, package, [Task("reference.py", REFERENCE, record=True)])
    wrong = run(sandbox_client, package, [task for task in mistake_tasks(package) if "float32" in task.name])

    complaints = said(assess_margins(package, correct[0].planned, correct, wrong)[1])

    assert complaints[0].startswith(
        "warning: checks/test_standardize.py:63: gradient allows 2e-12, and reference.py is off by 1."
    )
    assert complaints[0].endswith("; allow at least 2 times the error of a correct solution")
    assert complaints[1].startswith("warning: wrong/float32.py: shift hardly notices it: it is off by 1.")


def test_mutants_that_nothing_notices_are_shown(sandbox_client: Client) -> None:
    refusal = PACKAGE.files[CHECKS].index('@check(\n    "Refuses what is no matrix"')
    package = changed({CHECKS: PACKAGE.files[CHECKS][:refusal]})
    mutation = Mutation(package)

    score, complaints = mutation.assess(run(sandbox_client, package, mutation.tasks()))

    assert (score.total, score.killed, score.equivalent) == (33, 32, ())
    (survivor,) = score.survivors
    assert (survivor.function, survivor.what, survivor.number) == ("standardize", "drops the statement", 13)
    assert survivor.diff.splitlines()[-5:] == [
        "     if x.dim() != 2:",
        """-        raise ValueError(f"x must have two dimensions, not {x.dim()}")""",
        "+        pass",
        "     centered = x - x.mean(dim=1, keepdim=True)",
        "     variance = (centered * centered).mean(dim=1, keepdim=True)",
    ]
    assert said(complaints) == [
        "error: reference.py:13: no required check notices a mutant that drops the statement: pass; sharpen a check, "
        "or say in mutants.toml why this is no mistake"
    ]


def test_marks_of_mutants_are_held_to_what_runs_show(sandbox_client: Client) -> None:
    mutants = """
[[equivalent]]
function = "standardize"
line = "return centered / torch.sqrt(variance + epsilon)"
becomes = ["return centered / torch.sqrt(epsilon + variance)", "return centered"]
reason = "It is not, but says so."
"""
    package = changed({"mutants.toml": mutants})
    mutation = Mutation(package)

    score, complaints = mutation.assess(run(sandbox_client, package, mutation.tasks()))

    assert (score.survivors, score.equivalent) == ((), ())
    assert said(complaints) == [
        "error: mutants.toml:2: no mutant of standardize makes 'return centered / torch.sqrt(variance + epsilon)' into "
        "'return centered / torch.sqrt(epsilon + variance)'; copy both lines from the diff that verify_problem shows, "
        "or remove the entry",
        "error: mutants.toml:2: the mutant 'return centered' is called equivalent, but value notices it; remove the "
        "entry",
    ]


def test_a_sample_of_mutants_knows_all_entries() -> None:
    mutants = """
[[equivalent]]
function = "standardize"
line = "return centered / torch.sqrt(variance + epsilon)"
becomes = "return centered"
reason = "Not in the sample."
"""
    everything, sample = Mutation(changed({"mutants.toml": mutants})), Mutation(changed({"mutants.toml": mutants}), 30)

    assert [len(mutation.tasks()) for mutation in (everything, sample)] == [33, 2]
    assert sample.complaints == []
