"""A run that fails as a known mistake does is told so; the known file itself is never shown."""

from collections.abc import Callable

import pytest
from django.test import Client as Browser
from django.utils import timezone

from judge.accounts.models import User
from judge.catalog.models import PackageVersion, Problem, StoredSignature, _signatures
from judge.catalog.package import parse
from judge.catalog.verify.jobs import JudgesJobs
from judge.submissions import judging, signer
from judge.submissions.models import Diagnosis, Submission
from judge.submissions.report import state_of
from judge.submissions.signer import Signer, diagnose_the_waiting
from judge.submissions.tests.sandboxes import RIGHT, Scripted
from judge.tests import halving_mistakes
from judge.tests.pages import links, words
from sandbox.client import Client, SandboxUnavailable
from sandbox.protocol import Outcome, Verdict

Judged = Callable[[str], Submission]

THIRD = "def halve(x):\n    return torch.div(x, 3.0)\n\n\nimport torch\n"
CHANGES = "def halve(y):\n    y.mul_(0.5)\n    return y + 0\n"
BOTH = "def halve(z):\n    third = 0 + z / 3\n    z.add_(1)\n    return third\n"
OTHER = "def halve(x):\n    return x / 5\n"


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """Tests undo what they store, so numbers come again and mean something else."""
    _signatures.cache_clear()


@pytest.fixture
def problem(db: None) -> Problem:
    return Problem.publish(parse("halving", halving_mistakes.FILES)).problem


@pytest.fixture
def signed(problem: Problem, sandbox_client: Client) -> PackageVersion:
    """The version with the signatures of its mistakes."""
    assert sign(sandbox_client)
    return version_of(problem)


def sign(client: JudgesJobs) -> bool:
    """Signs all that a worker would. False if there is nothing."""
    worker = Signer(client)
    if not worker.has_work():
        return False
    while worker.has_work():
        worker.sign_one()
    return True


def version_of(problem: Problem) -> PackageVersion:
    return PackageVersion.objects.get(problem=problem)


def named(submission: Submission) -> list[tuple[str, str, list[str]]]:
    return [(each.mistake, each.sureness, each.checks) for each in submission.diagnoses.all()]


def test_a_report_names_the_mistake(signed: PackageVersion, judged: Judged, learner: User) -> None:
    submission = judged(THIRD)

    assert named(submission) == [("wrong/third.py", "sure", ["two"])]
    state = state_of(submission, learner)
    assert state["diagnoses_headline"] == ""
    assert state["diagnoses"] == [
        {
            "title": "Divides by three",
            "says_html": "<p>Your function divides by <code>3</code>.</p>\n",
            "hint_html": "<p>A half is not a third.</p>\n",
            "sentence": {
                "id": "half",
                "html": '<code>halve(x)</code> returns <span class="math inline">x / 2</span>, entry by entry.',
            },
            "section": "halving",
            "sureness": "sure",
            "because": "Sure: 1 check fails exactly as with this mistake.",
            "checks": ["two"],
        }
    ]


def test_the_page_leads_with_it(signed: PackageVersion, judged: Judged, signed_in: Browser) -> None:
    page = signed_in.get(f"/submissions/{judged(THIRD).pk}/")

    said = words(page)
    order = ["2 of 3 checks passed", "Your function divides by 3.", "Sure: 1 check fails", "1 failed check"]
    assert [said.index(text) for text in order] == sorted(said.index(text) for text in order)
    assert links(page).count("/problems/halving/#half") == 2


def test_two_mistakes_at_once_are_both_named(signed: PackageVersion, judged: Judged, learner: User) -> None:
    state = state_of(judged(BOTH), learner)

    assert state["diagnoses_headline"] == "2 mistakes at once"
    assert {each["title"]: each["checks"] for each in state["diagnoses"]} == {
        "Divides by three": ["two"],
        "Divides the caller's tensor": ["unchanged"],
    }
    assert "<p>Your code divides the caller's tensor.</p>\n" in [each["says_html"] for each in state["diagnoses"]]


@pytest.mark.parametrize("source", [RIGHT, OTHER, "", "def halve(x):\n    raise NotImplementedError\n"])
def test_what_is_right_or_unknown_or_unwritten_gets_none(signed: PackageVersion, judged: Judged, source: str) -> None:
    submission = judged(source)

    assert named(submission) == []
    assert submission.diagnosed


def test_no_line_of_a_known_mistake_is_shown(signed: PackageVersion, judged: Judged, signed_in: Browser) -> None:
    submission = judged(BOTH)

    for address in (f"/submissions/{submission.pk}/", f"/submissions/{submission.pk}/state/", "/problems/halving/"):
        content = signed_in.get(address).content.decode()
        assert "catalogued" not in content
        assert "wrong/" not in content
    assert "catalogued" not in str(list(StoredSignature.objects.values_list("values", flat=True)))


def test_before_the_signatures_are_made_a_report_has_none_and_gets_it_later(
    problem: Problem, judged: Judged, sandbox_client: Client
) -> None:
    submission = judged(THIRD)
    assert (named(submission), submission.diagnosed) == ([], False)
    diagnose_the_waiting()
    assert named(submission) == []

    sign(sandbox_client)
    diagnose_the_waiting()

    assert named(submission) == [("wrong/third.py", "sure", ["two"])]


def test_diagnosing_twice_adds_nothing(signed: PackageVersion, judged: Judged) -> None:
    submission = judged(THIRD)

    submission.diagnose()
    diagnose_the_waiting()

    assert Diagnosis.objects.count() == 1


def test_each_mistake_is_judged_once_for_each_version(
    signed: PackageVersion, problem: Problem, sandbox_client: Client
) -> None:
    stored = list(StoredSignature.objects.values_list("mistake", "values"))
    assert [mistake for mistake, _ in stored] == ["wrong/in_place.py", "wrong/third.py"]

    Problem.publish(parse("halving", halving_mistakes.FILES))
    assert not sign(Scripted())
    assert list(StoredSignature.objects.values_list("mistake", "values")) == stored

    files = {**halving_mistakes.FILES, "notes/01-halves.md": "Other notes.\n"}
    Problem.publish(parse("halving", files))
    assert sign(sandbox_client)
    assert StoredSignature.objects.count() == 4


def test_of_two_workers_one_signs(problem: Problem) -> None:
    first, second = version_of(problem), version_of(problem)

    assert [signer._claim(first), signer._claim(second)] == [True, False]
    assert not sign(Scripted())


def test_signing_goes_on_when_the_sandbox_is_back(problem: Problem, sandbox_client: Client) -> None:
    with pytest.raises(SandboxUnavailable):
        sign(Scripted(SandboxUnavailable("it is away")))

    assert sign(sandbox_client)
    assert version_of(problem).is_signed


def test_signing_goes_on_where_a_dead_worker_stopped(problem: Problem, sandbox_client: Client) -> None:
    worker = Signer(sandbox_client)
    assert worker.has_work()
    worker.sign_one()
    assert not sign(sandbox_client)  # its claim is fresh

    PackageVersion.objects.update(signing_at=timezone.now() - signer.DEAD_AFTER * 2)

    assert sign(sandbox_client)
    assert version_of(problem).is_signed


def test_a_mistake_that_can_not_be_judged_is_never_named(problem: Problem, judged: Judged, learner: User) -> None:
    broken = Outcome(Verdict.JUDGE_ERROR, "the check broke")

    assert sign(Scripted(broken))

    assert version_of(problem).is_signed
    assert named(judged(THIRD)) == []


def test_a_package_without_mistakes_has_nothing_to_be_signed(problem: Problem) -> None:
    files = {name: text for name, text in halving_mistakes.FILES.items() if not name.startswith("wrong/")}
    version = Problem.publish(parse("halving", files))

    assert sign(Scripted())

    assert PackageVersion.objects.get(pk=version.pk).is_signed


def test_a_fault_in_the_diagnosis_costs_no_verdict(
    signed: PackageVersion, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> list[object]:
        raise ArithmeticError("a fault of ours")

    monkeypatch.setattr("judge.submissions.models.submission.diagnose", broken)

    submission = judged(THIRD)

    assert submission.verdict == Verdict.WRONG_ANSWER
    assert (submission.diagnosed, named(submission)) == (True, [])


def test_a_run_that_failed_through_our_fault_is_not_diagnosed(signed: PackageVersion, hand_in: Judged) -> None:
    submission = hand_in(THIRD)
    monkey = Scripted(Outcome(Verdict.JUDGE_ERROR, "the check broke"))
    for _ in range(len(judging.PAUSES_AFTER_FAULT) + 1):
        Submission.objects.update(due_at=timezone.now())
        judging.judge(submission.pk, monkey)

    submission.refresh_from_db()
    assert submission.verdict == Verdict.JUDGE_ERROR
    diagnose_the_waiting()
    assert named(submission) == []
