"""The report of a problem: who passes what at first and now, who is stuck, and why."""

import csv
import html
import io
import re

from django.test import Client

from judge.accounts.models import User
from judge.catalog.models import Problem
from judge.catalog.package import parse
from judge.classroom.activity import Activity
from judge.classroom.clusters import Cluster
from judge.classroom.reports import Outcomes, ProblemReport
from judge.classroom.templatetags.classroom import percent, tick_strip
from judge.classroom.tests.runs import hand_in, hand_in_a_fault, sign
from judge.submissions.models import Diagnosis, Standing
from judge.tests import halving


def current(problem: Problem) -> Problem:
    return Problem.objects.all().published().get(pk=problem.pk)


def test_first_and_latest_runs_are_counted_apart(learner: User, other: User, problem: Problem) -> None:
    for letters in ("fup", "ffp", "ppp"):
        hand_in(learner, problem, letters)
    hand_in(other, problem, "etn")

    report = ProblemReport.of(current(problem))

    two, zero, unchanged = report.rows
    assert (report.learners, report.solved, report.attempts) == (2, 1, 4)
    assert two.first == Outcomes(failed=1, raised=1)
    assert two.latest == Outcomes(passed=1, raised=1)
    assert zero.first == Outcomes(stopped=1, not_reached=1)
    assert (two.median_attempts, unchanged.median_attempts, report.median_attempts) == (3, 1, 3)


def test_what_was_not_reached_did_not_pass(learner: User, problem: Problem) -> None:
    hand_in(learner, problem, "ppn")

    unchanged = ProblemReport.of(current(problem)).rows[2]

    assert (unchanged.latest.total, unchanged.latest.not_passed, unchanged.latest.share) == (1, 1, 0.0)


def test_a_share_is_all_or_nothing_only_where_it_is() -> None:
    assert [percent(part, 1000) for part in (0, 1, 500, 999, 1000)] == ["0 %", "<1 %", "50 %", ">99 %", "100 %"]
    assert percent(0, 0) == "–"


def test_a_strip_has_one_path_for_each_kind_of_mark() -> None:
    strip = tick_strip(["passed", "failed", "passed"])

    assert strip == (
        '<svg class="strip" viewBox="0 0 15 16" width="15" height="16" role="img"'
        ' aria-label="2 passed, 1 failed, 0 not run"><path class="strip__passed" d="M0 1h3v7h-3zM10 1h3v7h-3z" />'
        '<path class="strip__failed" d="M5 8h3v7h-3z" /></svg>'
    )


def test_stuck_is_who_fails_three_times_and_has_not_solved_it(learner: User, other: User, problem: Problem) -> None:
    for _ in range(3):
        hand_in(learner, problem, "fpp")
        hand_in(other, problem, "fpp")
    hand_in(other, problem, "ppp")

    report = ProblemReport.of(current(problem))

    assert (report.stuck, [list(row.stuck) for row in report.rows]) == (1, [[learner.pk], [], []])


def test_our_faults_are_in_no_rate_and_told_apart(learner: User, problem: Problem, teacher: Client) -> None:
    hand_in(learner, problem, "ppp")
    hand_in_a_fault(learner, problem)

    report, activity = ProblemReport.of(current(problem)), Activity.of(problem)

    assert (report.attempts, report.rows[0].latest) == (1, Outcomes(passed=1))
    assert activity.verdicts == {"accepted": 1, "judge_error": 1}
    assert activity.rows()[0] | {"day": ""} == {"day": "", "solved": 1, "failed": 0, "faults": 1, "unfinished": 0}
    assert "our fault" in teacher.get("/teach/reports/halving/").content.decode()


def test_diagnoses_stand_behind_the_checks_that_they_explain(learner: User, problem: Problem) -> None:
    run = hand_in(learner, problem, "ffp")
    Diagnosis.objects.create(submission=run, order=0, mistake="wrong/gone.py", sureness="sure", checks=["two"])
    Standing.record(run, again=True)

    assert Standing.objects.get().mistakes == {"wrong/gone.py": [1, 1, {"two": 1}]}
    assert [row.explanations for row in ProblemReport.of(current(problem)).rows] == [[], [], []], "no longer catalogued"


def test_runs_that_fail_alike_are_one_cluster(learner: User, other: User, problem: Problem) -> None:
    sign(problem)
    for user, letters in ((learner, "fpp"), (learner, "fpp"), (other, "fpp"), (other, "pep")):
        hand_in(user, problem, letters)

    clusters = Cluster.of_problem(current(problem))

    told = [(cluster.learners, cluster.runs, [check["id"] for check in cluster.checks]) for cluster in clusters]
    assert told == [(2, 3, ["two"]), (1, 1, ["zero"])]
    assert clusters[0].message == "half: got 3, expected 2."


def test_every_number_leads_to_what_it_counts(learner: User, other: User, problem: Problem, teacher: Client) -> None:
    for letters in ("fpp", "fpn", "fpp"):
        hand_in(learner, problem, letters)
    hand_in(other, problem, "ppp")
    query = "/teach/submissions/?problem=halving&check="

    def found(rest: str) -> list[str]:
        page = teacher.get(query + rest).context["page"]
        return [f"{run.user.username} {run.number}" for run in page.submissions]

    assert found("two&which=first&outcome=not_passed") == ["ada 1"]
    assert found("two&which=latest&outcome=passed") == ["ben 1"]
    assert found("two&which=latest&outcome=not_passed") == ["ada 3"]
    assert found("two&which=stuck") == ["ada 3"]
    assert found("two") == ["ada 3", "ada 2", "ada 1"]
    assert found("unchanged&outcome=not_reached") == ["ada 2"]


_COUNTED = re.compile(r'<a href="(/teach/submissions/\?[^"]*)"[^>]*>(\d+)</a>')


def test_each_number_that_is_a_link_is_the_number_of_what_it_leads_to(
    learner: User, other: User, problem: Problem, teacher: Client
) -> None:
    sign(problem)
    for letters in ("fpp", "etn", "fpp", "fpp"):
        hand_in(learner, problem, letters)
    for letters in ("uep", "tpe", "ppp", "fpp"):
        hand_in(other, problem, letters)
    hand_in_a_fault(other, problem)
    seen = []
    for page in ("/teach/reports/", "/teach/reports/halving/", "/teach/reports/halving/checks/two/"):
        for address, number in _COUNTED.findall(teacher.get(page).content.decode()):
            count = teacher.get(html.unescape(address)).context["page"].count.number
            assert count == int(number), (page, address)
            seen.append(address)

    outcomes = {
        "which=latest",
        "which=solved",
        "which=stuck",
        "outcome=not_passed",
        "outcome=wrong_value",
        "diagnosis=none",
    }
    assert {wish for wish in outcomes if any(wish in address for address in seen)} == outcomes


def test_a_version_that_has_judged_nothing_yet_keeps_the_checks_of_the_one_before(
    learner: User, problem: Problem, teacher: Client
) -> None:
    hand_in(learner, problem, "fpp")
    statement = f"{halving.FILES['statement.md']}\nA word more.\n"
    Problem.publish(parse("halving", {**halving.FILES, "statement.md": statement}))

    rows = ProblemReport.of(current(problem)).rows

    assert [(row.id, row.latest.passed) for row in rows] == [("two", 0), ("zero", 1), ("unchanged", 1)]
    assert teacher.get("/teach/reports/halving/checks/two/").status_code == 200


def test_the_matrix_as_a_file(learner: User, problem: Problem, teacher: Client) -> None:
    hand_in(learner, problem, "fpp")

    response = teacher.get("/teach/reports/halving/checks.csv")

    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert response.headers["Content-Disposition"] == 'attachment; filename="halving-checks.csv"'
    assert [(row["check"], row["first_failed"], row["latest_passed"]) for row in rows] == [
        ("two", "1", "0"),
        ("zero", "0", "1"),
        ("unchanged", "0", "1"),
    ]
