"""What becomes of submissions: right, wrong, and broken in every way that learners break things."""

from __future__ import annotations

import dataclasses
import re
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from sandbox import layers
from sandbox.checker_templates import CheckerTemplates
from sandbox.client import Client
from sandbox.host import Template
from sandbox.protocol import Limits, Package
from sandbox.tests.packages import PACKAGE, RIGHT, judge, package_of, with_body


def test_a_right_submission_is_accepted(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, RIGHT)
    assert judged.outcome.verdict == "accepted"
    assert list(judged.statuses) == ["value", "gradient", "unchanged", "next", "refuses", "copies"]
    assert set(judged.statuses.values()) == {"passed"}
    assert judged.started is not None
    assert [check.title for check in judged.started.checks][:2] == ["Sums the squares", "Leaves a gradient of 2x"]
    assert judged.started.checks[0].sentence == "sum"
    assert not judged.started.checks[-1].required


def test_a_wrong_value_is_said_with_expected_got_and_where(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("next", "return value + 2 if isinstance(value, int) else int(None)"))
    assert judged.outcome.verdict == "wrong_answer"
    assert judged["next"].message == "Next(3): expected 4, got 5."
    assert judged["next"].details == {
        "kind": "value",
        "what": "next(3)",
        "where": "",
        "expected": "4",
        "got": "5",
    }
    assert judged["refuses"].status == "passed"


def test_a_failed_check_has_its_hint_and_a_passed_one_has_none(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("square", "return x.sum()"))
    assert judged["value"].hint == "Square, then sum."
    assert judged["next"].hint == ""


def test_an_optional_check_does_not_decide(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("copy", "return x"))
    assert judged["copies"].status == "failed"
    assert judged.outcome.verdict == "accepted"


def test_an_exception_costs_its_check_and_names_the_line(sandbox_client: Client) -> None:
    judged = judge(
        sandbox_client, "def square(x):\n    return x.no_such_thing\n" + RIGHT.split("return (x * x).sum()")[1]
    )
    assert judged.outcome.verdict == "runtime_error"
    assert judged["value"].message == (
        "square raised AttributeError at line 2 of your file: 'Tensor' object has no attribute 'no_such_thing'"
    )
    assert judged["next"].status == "passed"


def test_a_missing_function_is_named(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, RIGHT.replace("def copy(x)", "def copied(x)"))
    assert judged["copies"].status == "runtime_error"
    assert judged["copies"].message == "Your file does not define copy."


@pytest.mark.parametrize("empty", ["", "\n\n", "# nothing yet\n", "import torch\n"])
def test_an_empty_file_is_said_once(sandbox_client: Client, empty: str) -> None:
    judged = judge(sandbox_client, empty)
    assert judged.outcome.verdict == "runtime_error"
    expected = "Your file defines none of the functions that this problem asks for: square, next, copy."
    assert judged.outcome.message == expected
    assert set(judged.statuses.values()) == {"not_run"}


def test_a_syntax_error_has_its_line(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "def square(x):\n    return (x\n")
    assert judged.outcome.verdict == "runtime_error"
    assert judged.outcome.line == 2
    assert judged.outcome.message == "Your file is not valid Python: SyntaxError at line 2: '(' was never closed."


def test_null_bytes_and_odd_texts_are_no_accident(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "def square(x):\x00 return x")
    assert judged.outcome.verdict == "runtime_error"
    assert "null bytes" in judged.outcome.message


def test_an_import_that_is_not_there(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "import tensorflow\n" + RIGHT)
    assert (
        judged.outcome.message
        == "Your file could not be loaded: ModuleNotFoundError at line 1: No module named 'tensorflow'"
    )


@pytest.mark.parametrize(
    ("body", "came"),
    [
        ("return None", "None"),
        ("return 1.5", "a float (1.5)"),
        ("import torch\nreturn torch.nn.Parameter(x.sum())", "a Parameter"),
        ("return x.numpy().sum()", "numpy.float32"),
        ("return (x.sum(), 1)", "the tuple ("),
        ("return x.to_sparse()", "a tensor that is not dense (sparse, quantized or nested)"),
        ("return x.to('meta')", "a tensor on the device 'meta'"),
        ("return 10 ** 400", "an integer of more than 150 digits"),
        ("return True", "a bool (True)"),
    ],
)
def test_another_type_is_named(sandbox_client: Client, body: str, came: str) -> None:
    judged = judge(sandbox_client, with_body("square", body))
    assert judged["value"].status == "failed"
    assert judged["value"].message.startswith(f"square must return Tensor; it returned {came}")


def test_a_subclass_with_tricks_is_no_tensor(sandbox_client: Client) -> None:
    body = (
        "import torch\nclass Sly(torch.Tensor):\n    def __eq__(self, other): return True\n"
        "return (x * x).sum().as_subclass(Sly)"
    )
    judged = judge(sandbox_client, with_body("square", body))
    assert judged["value"].message == "square must return Tensor; it returned square.<locals>.Sly."


def test_nan_is_never_close(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("square", "return x.sum() * float('nan')"))
    assert judged["value"].status == "failed"
    assert "got nan" in judged["value"].message
    assert judged["value"].details is not None
    assert judged["value"].details["got"] == "nan"


def test_an_endless_loop_costs_its_check(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("next", "while True: pass"))
    assert judged.outcome.verdict == "time_limit"
    assert judged["next"].status == "time_limit"
    assert re.fullmatch(
        r"No result after \d+(\.\d)? s, so your code was stopped. Look for a loop that does not end.",
        judged["next"].message,
    )
    assert judged["copies"].status == "passed"


def test_when_all_time_is_used_the_rest_is_not_run(sandbox_client: Client) -> None:
    limits = Limits(check_seconds=1.0, total_seconds=1.2, memory_mb=256)
    judged = judge(sandbox_client, with_body("square", "while True: pass"), limits=limits)
    assert judged.outcome.verdict == "time_limit"
    assert judged["value"].status == judged["gradient"].status == "time_limit"
    assert judged["copies"].status == "not_run"
    used_up = r"Not run: the \d+(\.\d)? s that all checks together may take were used up before."
    assert re.fullmatch(used_up, judged["copies"].message)


def test_a_loop_while_loading_ends_the_run(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "while True: pass")
    assert judged.outcome.verdict == "time_limit"
    assert judged.outcome.message.startswith("While your file was loaded, before any check: No result after ")


@pytest.mark.parametrize(
    "body",
    [
        "import torch\nreturn torch.ones(10 ** 10).sum()",
        "return [0] * 10 ** 10",
        "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "import mmap\nreturn mmap.mmap(-1, 10 << 30)",
    ],
)
def test_memory_in_every_form(sandbox_client: Client, body: str) -> None:
    judged = judge(sandbox_client, with_body("square", body))
    assert judged["value"].status == "memory_limit", judged["value"].message
    assert judged.outcome.verdict == "memory_limit"
    assert judged["next"].status == "passed"


def test_endless_printing_is_stopped_and_cut(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, with_body("next", "while True: print('all work and no play')"))
    assert judged["next"].status == "output_limit"
    assert judged["next"].message == "Your code printed more than 16 KiB and was stopped. Remove what it prints."
    assert judged["next"].printed.endswith("[more than 16,384 bytes were printed; the first 4,096 are shown]")
    assert judged["copies"].status == "passed"


def test_what_is_printed_is_shown_with_its_check_and_inert(sandbox_client: Client) -> None:
    judged = judge(
        sandbox_client, "print('loading')\n" + with_body("next", "print('\\x1b[31mred\\x00')\nreturn value + 1")
    )
    assert judged.outcome.printed == "loading\n"
    assert judged["next"].printed == "␛[31mred␀\n"
    assert judged["value"].printed == ""


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("import os\nos._exit(0)", "runtime_error", "(exit code 0)"),
        ("raise SystemExit(3)", "runtime_error", "next raised SystemExit"),
        ("import ctypes\nctypes.string_at(0)", "runtime_error", "a segmentation fault"),
        ("raise KeyboardInterrupt", "runtime_error", "next raised KeyboardInterrupt"),
        ("def deeper(n): return deeper(n + 1)\nreturn deeper(0)", "runtime_error", "next raised RecursionError"),
        ("import os\nfor fd in range(3, 60):\n  os.close(fd) if fd < 60 else None", "runtime_error", "OSError"),
    ],
)
def test_every_way_to_die_costs_one_check(sandbox_client: Client, body: str, status: str, message: str) -> None:
    judged = judge(sandbox_client, with_body("next", body))
    assert judged["next"].status == status
    assert message in judged["next"].message
    assert judged["copies"].status == "passed"


def test_exceptions_that_cannot_be_shown(sandbox_client: Client) -> None:
    body = "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad"
    judged = judge(sandbox_client, with_body("next", body))
    assert judged["next"].message.endswith("(its text cannot be shown)")


def test_a_check_that_breaks_is_our_fault(sandbox_client: Client) -> None:
    package = package_of("@check('Breaks', section='a')\ndef test_breaks(solution):\n    solution.f() + None\n")
    judged = judge(sandbox_client, "def f(): return 1", package)
    assert judged.outcome.verdict == "judge_error"
    assert "TypeError" in judged.outcome.message
    assert judged["breaks"].status == "judge_error"
    assert "solution.f()" not in judged["breaks"].message


def test_checks_that_cannot_be_imported_are_our_fault(sandbox_client: Client) -> None:
    judged = judge(sandbox_client, "def f(): return 1", package_of("import no_such_module\n"))
    assert judged.outcome.verdict == "judge_error"
    assert "checks/test_own.py cannot be imported: ModuleNotFoundError" in judged.outcome.message


def test_a_check_that_hangs_is_our_fault_and_ends(sandbox_client: Client) -> None:
    package = package_of("@check('Hangs', section='a')\ndef test_hangs(solution):\n    while True: pass\n")
    judged = judge(sandbox_client, "def f(): return 1", package, Limits(check_seconds=0.3, total_seconds=0.5))
    assert judged.outcome.verdict == "judge_error"
    assert judge(sandbox_client, RIGHT).outcome.verdict == "accepted"


def test_the_seed_decides_the_inputs(sandbox_client: Client) -> None:
    package = package_of(
        "@check('Shows', section='a')\ndef test_shows(solution, rng):\n"
        "    fail(str(torch.randint(10 ** 9, (1,), generator=rng).item()))\n"
    )
    first, again, other = (judge(sandbox_client, "def f(): return 1", package, seed=seed) for seed in (1, 1, 2))
    assert first["shows"].message == again["shows"].message != other["shows"].message


def test_parameters_make_checks_of_their_own(sandbox_client: Client) -> None:
    package = package_of(
        "import pytest\n@pytest.mark.parametrize('n', [1, 2])\n@check('Same', section='a')\n"
        "def test_same(solution, n):\n    equal(solution.f(n), n)\n"
    )
    judged = judge(sandbox_client, "def f(n): return 1", package)
    assert judged.statuses == {"same[1]": "passed", "same[2]": "failed"}
    assert judged.started is not None
    assert [check.title for check in judged.started.checks] == ["Same (1)", "Same (2)"]


def test_an_experiment_runs_with_the_submission(sandbox_client: Client) -> None:
    package = package_of(
        "@check('Runs', section='a')\ndef test_runs(solution):\n"
        "    equal(solution.experiment(steps=3), {'states': [0, 1, 2]})\n",
        supplied={
            "experiment.py": "def run(solution, steps):\n    return {'states': [solution.f(n) for n in range(steps)]}\n"
        },
    )
    assert judge(sandbox_client, "def f(n): return n", package).outcome.verdict == "accepted"
    failing = judge(sandbox_client, "def f(n): return n / 0", package)
    assert failing["runs"].message.startswith(
        "The experiment raised ZeroDivisionError at line 1 of your file: division by"
    )
    assert "experiment.py:2 in <listcomp>" in failing["runs"].message


def test_the_largest_submission(sandbox_client: Client) -> None:
    padded = RIGHT + "#" * (64 * 1024 - len(RIGHT))
    assert judge(sandbox_client, padded).outcome.verdict == "accepted"
    larger = judge(sandbox_client, padded + "#").outcome
    assert larger.verdict == "runtime_error"
    assert larger.message == "Your file has 65,537 bytes; at most 65,536 are judged. Make it shorter."


def test_package_version_decides_which_checks_are_used(sandbox_client: Client) -> None:
    text = PACKAGE.checks["test_small.py"].replace("solution.next(3), 4", "solution.next(3), 5")
    other = dataclasses.replace(PACKAGE, version="2", checks={"test_small.py": text})
    assert judge(sandbox_client, RIGHT, other)["next"].status == "failed"
    assert judge(sandbox_client, RIGHT)["next"].status == "passed"


@pytest.mark.parametrize("optimizer", ["SGD(weights, lr=0.5)", "Adam(weights, lr=0.5)", "AdamW(weights, lr=0.5)"])
def test_optimizers_work_in_a_jail(sandbox_client: Client, optimizer: str) -> None:
    """They import half of torch when they are first used; the template has done that."""
    submission = (
        "import torch\n\ndef f():\n    weights = [torch.ones(2, requires_grad=True)]\n"
        f"    optimizer = torch.optim.{optimizer}\n    before = float((weights[0] ** 2).sum())\n"
        "    for _ in range(3):\n        optimizer.zero_grad()\n        (weights[0] ** 2).sum().backward()\n"
        "        optimizer.step()\n    return float((weights[0] ** 2).sum()) < before\n"
    )
    package = package_of("@check('Steps', section='a')\ndef test_steps(solution):\n    equal(solution.f(), True)\n")
    judged = judge(sandbox_client, submission, package)
    assert judged["steps"].message == ""


def test_plug_ins_of_the_environment_stay_out_of_checks(sandbox_client: Client) -> None:
    """pytest-django, which is installed beside these tests, would put a dozen fixtures around each check."""
    package = package_of(
        """
import sys

@check("Nothing of Django", section="a")
def test_plain(solution):
    solution.f()
    ensure(not any(name.startswith(("django", "pytest_django")) for name in sys.modules), "a plug-in is loaded")
"""
    )
    assert judge(sandbox_client, "def f(): return 1", package).outcome.verdict == "accepted"


def test_a_rehearsal_is_not_seen_by_a_submission(sandbox_client: Client) -> None:
    """Fixtures, random numbers and the modules of a rehearsal are fresh again; a hanging or broken one does no harm."""
    checks = """
import sys
import pytest
from sandbox import trajectory

@pytest.fixture
def fresh():
    yield []

@check("First", section="a")
def test_first(solution, fresh, rng):
    fresh.append(solution.f())
    ensure(fresh == ["the submission"], f"{fresh}")
    ensure("solution" not in sys.modules, "the rehearsal left its module")

@check("Second", section="a")
def test_second(solution, fresh):
    ensure(fresh == [], f"{fresh}")
    untouched = torch.Generator().manual_seed(torch.initial_seed())
    equal(torch.rand(3), torch.rand(3, generator=untouched), what="what torch draws first")
    trajectory._kept = {"kind": "kept by the last check"}
"""
    plain = package_of(checks)
    for rehearsal in ("def f(): return 'the rehearsal'", "raise SystemExit", "def f(): 1 / 0"):
        package = dataclasses.replace(plain, version=rehearsal, rehearsal=rehearsal)
        judged = judge(sandbox_client, "def f(): return 'the submission'", package)
        assert judged.outcome.verdict == "accepted", [result.message for result in judged.results]
        assert [result.details for result in judged.results] == [
            None,
            {"kind": "trajectory", "trajectory": {"kind": "kept by the last check"}},
        ]


@pytest.mark.parametrize("left", ["threading.Event().wait", "time.sleep"])
def test_checks_that_leave_threads_behind_are_not_rehearsed(sandbox_client: Client, left: str) -> None:
    """A process with more than one thread must not be forked."""
    checks = f"""
import threading, time

@check("Starts a thread", section="a")
def test_thread(solution):
    threading.Thread(target={left}, args=(60,), daemon=True).start()
    solution.f()
"""
    package = dataclasses.replace(package_of(checks), rehearsal="def f(): return 1")
    assert judge(sandbox_client, "def f(): return 1", package).outcome.verdict == "accepted"


def test_checks_that_take_long_to_import_hold_up_no_other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of the slow package wait for its one template; those of another do not."""
    is_making, may_end, makings = threading.Event(), threading.Event(), []

    def make(templates: CheckerTemplates, package: Package) -> Any:
        makings.append(package.slug)
        if package.slug == "slow":
            is_making.set()
            assert may_end.wait(60)
        jail = SimpleNamespace(wait=lambda seconds: False)
        return SimpleNamespace(jail=jail, jobs=0, broken=False, close=lambda: None)

    monkeypatch.setattr(CheckerTemplates, "_make", make)
    templates = CheckerTemplates(Template(layers.probe()))
    slow, quick = (dataclasses.replace(PACKAGE, slug=slug) for slug in ("slow", "quick"))

    def use(package: Package) -> None:
        with templates.use(package):
            pass

    waiting = [threading.Thread(target=use, args=(slow,)) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert is_making.wait(60)
    use(quick)
    assert makings == ["slow", "quick"]
    may_end.set()
    for thread in waiting:
        thread.join(60)
    use(slow)
    assert makings == ["slow", "quick"]


def test_checks_that_loop_when_they_are_imported_are_told_with_their_line(sandbox_client: Client) -> None:
    package = package_of("while True:\n    pass\n\n@check('Never', section='a')\ndef test_never(solution): pass\n")

    outcome = judge(sandbox_client, "def f(): return 1", package).outcome

    assert outcome.verdict == "judge_error"
    assert "TimeoutError: it has not come to its end after 5 s of computing (line " in outcome.message
