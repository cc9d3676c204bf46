"""What is counted of somebody's runs, one after another, and when the order or the version changes."""

from judge.submissions.standings import CountedRun, Tally

PLANS = {1: ["a", "b", "c"], 2: ["b", "d", "a"]}


def tally(*runs: CountedRun) -> Tally:
    counted = Tally()
    for run in runs:
        counted.add(run, PLANS)
    return counted


def run(number: int, outcomes: str, version: int = 1, *diagnoses: tuple[str, list[str]]) -> CountedRun:
    return CountedRun(number, set(outcomes) == {"p"}, version, outcomes, diagnoses)


def test_first_and_latest_outcomes_and_the_attempts_between() -> None:
    counted = tally(run(1, "fup"), run(2, "fpp"), run(3, "ppp"))

    assert (counted.first_outcomes, counted.latest_outcomes) == ("fup", "ppp")
    assert counted.attempts_to_pass == [3, 2, 1]
    assert (counted.attempts, counted.attempts_to_solve, counted.latest_number) == (3, 3, 3)


def test_three_failures_in_a_row_are_stuck_until_it_is_solved() -> None:
    twice = tally(run(1, "fpp"), run(2, "fpp"))
    thrice = tally(run(1, "fpp"), run(2, "epp"), run(3, "tpp"))
    solved = tally(run(1, "fpp"), run(2, "fpp"), run(3, "fpp"), run(4, "ppp"), run(5, "fpp"))

    assert (twice.stuck, thrice.stuck, solved.stuck) == (0, 1, 0)
    assert thrice.failed_in_a_row == [3, 0, 0]


def test_what_was_not_run_neither_adds_to_a_row_nor_ends_it() -> None:
    assert tally(run(1, "fpp"), run(2, "fpp"), run(3, "nnn"), run(4, "fpp")).failed_in_a_row == [3, 0, 0]


def test_what_is_not_written_yet_is_no_failure() -> None:
    assert tally(run(1, "upp"), run(2, "upp"), run(3, "upp")).stuck == 0


def test_another_version_brings_its_order_and_its_checks() -> None:
    counted = tally(run(1, "fpf"), run(2, "fpf"), run(3, "pff", 2))

    assert counted.first_outcomes == "pff", "b and a from run 1, d from run 3"
    assert counted.latest_outcomes == "pff"
    assert counted.attempts_to_pass == [1, 0, 0]
    assert counted.failed_in_a_row == [0, 1, 3]


def test_a_run_that_knew_fewer_checks_did_not_reach_the_others() -> None:
    assert tally(run(1, "p")).latest_outcomes == "pnn"


def test_mistakes_are_counted_by_run_and_by_check() -> None:
    counted = tally(run(1, "ffp", 1, ("wrong/x.py", ["a", "b"])), run(2, "fpp", 1, ("wrong/x.py", ["a"])))

    assert counted.mistakes == {"wrong/x.py": [2, 2, {"a": 2, "b": 1}]}
