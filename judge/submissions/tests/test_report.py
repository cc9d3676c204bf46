import json
import re
from collections.abc import Callable

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from judge.accounts.models import User
from judge.submissions import judging
from judge.submissions.models import State, Submission
from judge.submissions.tests.sandboxes import CHECKS, PASSED, RIGHT, THIRD, Scripted
from judge.tests.pages import links, words
from sandbox import protocol

Judged = Callable[[str], Submission]


def state(client: Client, submission: Submission, after: int = 0) -> dict[str, object]:
    response = client.get(f"/submissions/{submission.pk}/state/?after={after}")
    assert response.status_code == 200
    value: dict[str, object] = response.json()
    return value


def test_the_state_of_a_finished_submission(signed_in: Client, judged: Judged) -> None:
    submission = judged(THIRD)

    values = state(signed_in, submission)

    checks = values.pop("checks")
    assert isinstance(checks, list)
    assert values == {
        "id": str(submission.pk),
        "problem": "halving",
        "number": 1,
        "url": f"/submissions/{submission.pk}/",
        "state": "finished",
        "place": None,
        "verdict": "wrong_answer",
        "sentence": "2 of 3 checks passed",
        "message": submission.message,
        "line": None,
        "printed": "",
        "total": 3,
        "counts": {"passed": 2, "failed": 1, "not_run": 0},
        "attempt": 1,
        "judge_fault": False,
        "ms": submission.ms,
        "typical_ms": None,
        "created_at": submission.created_at.isoformat(),
        "solved": False,
        "notes_url": None,
        "reference": "",
        "sections": [{"id": "halving", "title": "Halving"}, {"id": "care", "title": "Taking care"}],
        "planned": [
            {"order": 0, "id": "two", "title": "Two becomes one", "section": "halving"},
            {"order": 1, "id": "zero", "title": "Zero stays zero", "section": "halving"},
            {"order": 2, "id": "unchanged", "title": "The input is not changed", "section": "care"},
        ],
        "diagnoses": [],
        "diagnoses_headline": "",
        "runs": [],
    }
    sentence = '<code>halve(x)</code> returns <span class="math inline">x / 2</span>, entry by entry.'
    assert [check["status"] for check in checks] == ["failed", "passed", "passed"]
    failed = checks[0]
    assert failed["sentence"] == {"id": "half", "html": sentence}
    assert failed["hint_html"] == "<p>Divide by <strong>two</strong>.</p>\n"
    assert failed["message"].startswith("Half at [0]: expected 1, got 0.666667")
    assert failed["details"]["kind"] == "comparison"


def test_only_what_is_new_is_sent_again(signed_in: Client, judged: Judged) -> None:
    submission = judged(THIRD)

    later = state(signed_in, submission, after=2)

    assert isinstance(later["checks"], list)
    assert [check["id"] for check in later["checks"]] == ["unchanged"]
    assert later["planned"] == []


def test_solving_opens_the_notes(signed_in: Client, judged: Judged) -> None:
    values = state(signed_in, judged(RIGHT))

    assert (values["sentence"], values["solved"]) == ("Solved", True)
    assert values["notes_url"] == "/problems/halving/notes/"


def test_waiting_says_the_place_in_line(signed_in: Client, hand_in: Judged, judged: Judged) -> None:
    finished = judged(RIGHT)
    first, second = hand_in(RIGHT), hand_in(RIGHT)

    values = state(signed_in, first)
    assert (values["state"], values["place"], values["sentence"]) == ("queued", 1, "Next in line")
    assert values["typical_ms"] == finished.ms
    assert state(signed_in, second)["sentence"] == "Number 2 in line"

    Submission.objects.filter(pk=first.pk).update(state=State.RUNNING)
    values = state(signed_in, first)
    assert (values["state"], values["place"], values["sentence"]) == ("queued", None, "Starting")


def test_the_page_is_complete_without_scripts(signed_in: Client, judged: Judged) -> None:
    submission = judged("x = '<b>'\n" + THIRD)

    page = signed_in.get(f"/submissions/{submission.pk}/")

    said = words(page)
    assert said.index("2 of 3 checks passed") < said.index("Two becomes one") < said.index("Zero stays zero")
    assert "expected 1, got 0.666667" in said
    assert "x = '<b>'" in said
    assert "/problems/halving/#half" in links(page)
    embedded = re.search(r'<script id="report-data" type="application/json">(.*?)</script>', page.content.decode())
    assert embedded is not None
    assert json.loads(embedded[1]) == state(signed_in, submission)


def test_a_page_that_waits_reloads_itself_without_scripts(signed_in: Client, hand_in: Judged) -> None:
    page = signed_in.get(f"/submissions/{hand_in(RIGHT).pk}/")

    assert '<meta http-equiv="refresh" content="2">' in page.content.decode()
    assert "Next in line" in words(page)


def test_the_problem_page_shows_the_latest_report(signed_in: Client, judged: Judged) -> None:
    judged(RIGHT)
    judged(THIRD)

    page = words(signed_in.get("/problems/halving/"))

    assert "2 of 3 checks passed" in page
    assert "Solved" not in page


def test_ones_submissions_are_listed_the_newest_first(signed_in: Client, judged: Judged, other: User) -> None:
    right, third = judged(RIGHT), judged(THIRD)
    Submission.hand_in(other, right.problem, "")

    page = signed_in.get("/problems/halving/submissions/")

    rows = words(page).split("Your submissions, the newest first")[1]
    assert rows.index("2 of 3 checks passed") < rows.index("Solved")
    reports = [link for link in links(page) if link.startswith("/submissions/")]
    assert reports[:2] == [f"/submissions/{third.pk}/", f"/submissions/{right.pk}/"]
    assert len(set(reports)) == 2


def test_a_list_without_submissions_says_what_to_do(signed_in: Client, hand_in: Judged) -> None:
    assert "No submissions yet." in words(signed_in.get("/problems/halving/submissions/"))


def test_what_others_handed_in_does_not_exist_for_a_learner(
    client: Client, other: User, instructor: User, judged: Judged
) -> None:
    submission = judged(RIGHT)
    client.force_login(other)
    for address in (f"/submissions/{submission.pk}/", f"/submissions/{submission.pk}/state/"):
        assert client.get(address).status_code == 404

    client.force_login(instructor)
    assert "ada" in words(client.get(f"/submissions/{submission.pk}/"))


def test_who_is_signed_out_meanwhile_is_told(client: Client, hand_in: Judged) -> None:
    submission = hand_in(RIGHT)

    response = client.get(f"/submissions/{submission.pk}/state/")

    assert response.status_code == 401
    assert response.json()["error"]["message"] == "Sign in again to see this report."
    assert client.get(f"/submissions/{submission.pk}/").headers["Location"].startswith("/accounts/sign-in/?next=")


def test_a_strange_after_is_refused(signed_in: Client, hand_in: Judged) -> None:
    submission = hand_in(RIGHT)

    for after in ("-1", "x", "1" * 30):
        assert signed_in.get(f"/submissions/{submission.pk}/state/?after={after}").status_code == 400


def test_queries_do_not_grow_with_the_checks(
    signed_in: Client, judged: Judged, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    submission = judged(THIRD)

    with django_assert_num_queries(5):  # session, user, submission, checks, diagnoses
        state(signed_in, submission)


def test_queries_do_not_grow_with_the_runs(signed_in: Client, hand_in: Judged) -> None:
    late = protocol.CheckFinished(protocol.CheckResult("two", protocol.Status.TIME_LIMIT))
    script = [protocol.Started(CHECKS), late, *PASSED[1:], protocol.Outcome(protocol.Verdict.TIME_LIMIT)]
    counts = []

    for _ in range(3):
        judging.judge(hand_in(RIGHT).pk, Scripted(*script))
        with CaptureQueriesContext(connection) as queries:
            page = signed_in.get("/problems/halving/submissions/")
        counts.append(len(queries))

    assert words(page).count("2 of 3 checks passed; out of time in check 1") >= 3
    assert counts[0] == counts[1] == counts[2]
