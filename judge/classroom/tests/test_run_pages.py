"""One run with its report, two side by side, one learner, and a cluster that becomes a known mistake."""

from django.test import Client

from judge.accounts.models import Action, AuditEntry, User
from judge.catalog.mistakes import read_mistake
from judge.catalog.models import Problem
from judge.catalog.table import Complaint
from judge.classroom.models.drafts import DraftFile
from judge.classroom.side_by_side import Block, side_by_side
from judge.classroom.tests.runs import hand_in, hand_in_a_fault, sign
from judge.submissions.tests.sandboxes import THIRD


def test_a_run_beside_its_report(learner: User, problem: Problem, teacher: Client) -> None:
    run = hand_in(learner, problem, "fpp", THIRD)

    page = teacher.get(f"/teach/submissions/{run.pk}/")

    text = page.content.decode()
    assert "2 of 3 checks passed" in text
    assert f"<code>{run.version.version}</code> (current)" in text
    assert run.worker in text
    assert [limit.name for limit in page.context["details"].limits] == [
        "One check",
        "The whole run",
        "Output",
        "Memory",
    ]
    assert AuditEntry.objects.filter(actor="ina").values_list("action", "subject").get() == (
        Action.LOOKED,
        "halving, run 1 of ada",
    )


def test_a_fault_of_ours_is_named_as_one(learner: User, problem: Problem, teacher: Client) -> None:
    run = hand_in_a_fault(learner, problem)

    text = teacher.get(f"/teach/submissions/{run.pk}/").content.decode()

    assert f"Reference <code>{run.reference}</code>, after 3 failed attempts" in text
    assert "the template died" not in text, "the reason is for an administrator"


def test_two_runs_side_by_side(learner: User, other: User, problem: Problem, teacher: Client) -> None:
    left = hand_in(learner, problem, "fpp", "x = 1\nsame\n")
    right = hand_in(other, problem, "ppp", "x = 2\nsame\nmore\n")

    page = teacher.get(f"/teach/submissions/compare/?run={left.pk}&run={right.pk}")

    text = page.content.decode()
    assert "x = <del>1</del>" in text
    assert "x = <ins>2</ins>" in text
    assert "1 check ended otherwise" in text
    assert AuditEntry.objects.filter(action=Action.LOOKED).count() == 2


def test_what_is_far_from_a_change_is_folded() -> None:
    lines = [f"line {number}" for number in range(40)]
    blocks = side_by_side("\n".join(lines), "\n".join([*lines[:20], "another", *lines[21:]]))

    def told(block: Block) -> tuple[bool, int]:
        return block.is_folded, len(block.rows)

    assert [told(block) for block in blocks] == [(True, 16), (False, 9), (True, 15)]
    (changed,) = [row for block in blocks for row in block.rows if not row.is_equal]
    assert changed.left is not None
    assert changed.right is not None
    assert (changed.left.number, changed.right.number) == (21, 21)
    assert "".join(text for _, text in changed.right.pieces) == "another"


def test_markup_in_a_file_stays_text(learner: User, problem: Problem, teacher: Client) -> None:
    left = hand_in(learner, problem, "fpp", "<script>alert(1)</script>\n")
    right = hand_in(learner, problem, "fpp", "<b>\n")

    text = teacher.get(f"/teach/submissions/compare/?run={left.pk}&run={right.pk}").content.decode()

    assert "<script>alert" not in text


def test_a_learner_with_every_run(learner: User, problem: Problem, teacher: Client) -> None:
    for letters in ("fpp", "fpn", "fpp"):
        hand_in(learner, problem, letters)

    page = teacher.get(f"/teach/learners/{learner.pk}/")

    (told,) = page.context["problems"]
    assert [(check["id"], times) for check, times in told["stuck"]] == [("two", 3)]
    assert [ticks for _, ticks in told["runs"]][1] == ["failed", "passed", "none"]
    assert told["chart"]["alternative"] == "From 2 of 3 checks in run 1 to 2 of 3 checks in run 3."


def test_a_learner_with_one_run(learner: User, problem: Problem, teacher: Client) -> None:
    hand_in(learner, problem, "fpp")

    (told,) = teacher.get(f"/teach/learners/{learner.pk}/").context["problems"]

    assert told["chart"]["alternative"] == "2 of 3 checks in run 1."


def test_a_cluster_becomes_a_wrong_solution(learner: User, problem: Problem, teacher: Client) -> None:
    sign(problem)
    run = hand_in(learner, problem, "ffp", THIRD)
    address = f"/teach/reports/halving/alike/{run.pattern}/"
    assert "Make this a wrong solution" in teacher.get(address).content.decode()

    response = teacher.post(f"{address}wrong/")

    path = f"wrong/alike_{run.pattern[:8]}.py"
    file = DraftFile.objects.get(draft__slug="halving", path=path)
    assert response.headers["Location"] == f"/teach/problems/halving/draft/?file=wrong%2Falike_{run.pattern[:8]}.py"
    complaints: list[Complaint] = []
    assert read_mistake(path, file.text, complaints).fails == ("two", "zero")
    assert [complaint.reason for complaint in complaints] == ["title is empty", "hint is empty"]
    assert file.text.endswith(THIRD)


def test_what_an_author_has_written_there_stays(learner: User, problem: Problem, teacher: Client) -> None:
    sign(problem)
    run = hand_in(learner, problem, "ffp", THIRD)
    address = f"/teach/reports/halving/alike/{run.pattern}/wrong/"
    teacher.post(address)
    DraftFile.objects.filter(path__startswith="wrong/").update(text="mine", revision=4)

    assert teacher.post(address).status_code == 302
    assert DraftFile.objects.get(path__startswith="wrong/").text == "mine"
