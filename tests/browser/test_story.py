"""The main job, as a learner lives it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenVisitor, new_name
from tests.browser.visitor import JUDGED_MS, Visitor


def test_from_sign_up_to_the_unlocked_notes(new_visitor: OpenVisitor, moco: Path) -> None:
    learner = new_visitor()
    page = learner.page
    learner.sign_up(new_name())
    page.get_by_role("link", name="Momentum Contrast", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Momentum Contrast")).to_be_visible()

    learner.write(moco / "wrong" / "loss_positive_not_in_denominator.py")
    learner.run_tests()
    learner.expect_verdict(re.compile(r"^\d+ of \d+ checks passed$"))
    failed = page.get_by_role("region", name="Failed checks").get_by_role("article").first
    expect(failed.get_by_role("heading")).to_be_visible()
    expect(failed).to_contain_text("Expected")
    expect(failed).to_contain_text("Got")
    expect(failed.get_by_text("Hint", exact=True)).to_be_visible()

    learner.write(moco / "reference.py")
    learner.run_tests()
    learner.expect_verdict("Solved")
    expect(page.get_by_role("region", name="Failed checks")).to_have_count(0)
    page.get_by_role("link", name="Open the notes").click()
    expect(page).to_have_url(f"{learner.url}problems/moco/notes/")
    expect(page.get_by_role("heading", name="The negatives problem")).to_be_visible()

    other = new_visitor()
    other.sign_up(new_name())
    other.watch.expected_statuses.add(403)
    answer = other.page.goto(f"{learner.url}problems/moco/notes/")
    assert answer is not None
    assert answer.status == 403
    expect(other.page.get_by_role("main")).to_contain_text(re.compile("solve|pass", re.I))
    expect(other.page.get_by_role("heading", name="The negatives problem")).to_have_count(0)


def test_a_failed_check_leads_to_its_sentence_of_the_statement(learner: Visitor, moco: Path) -> None:
    learner.open("/problems/moco/")
    learner.write(moco / "wrong" / "loss_positive_not_in_denominator.py")
    learner.run_tests()
    learner.expect_verdict(re.compile(r"checks passed$"))
    sentence = learner.page.get_by_role("region", name="Failed checks").locator(".check__sentence a").first
    anchor = (sentence.get_attribute("href") or "").partition("#")[2]
    assert anchor
    sentence.click()
    expect(learner.page.locator(f"#{anchor}")).to_be_in_viewport()


def test_ones_own_runs_are_listed_and_nobody_elses(new_visitor: OpenVisitor, moco: Path) -> None:
    first, second = new_visitor(), new_visitor()
    first.sign_up(new_name())
    first.open("/problems/moco/")
    first.write(moco / "reference.py")
    first.run_tests()
    first.expect_verdict("Solved")
    first.open("/problems/moco/submissions/")
    report = first.page.get_by_role("main").get_by_role("link", name=re.compile(r"\b1\b")).first
    address = report.get_attribute("href") or ""
    report.click()
    expect(first.page.get_by_text("Solved").first).to_be_visible()

    second.sign_up(new_name())
    second.open("/problems/moco/submissions/")
    expect(second.page.locator(f'a[href="{address}"]')).to_have_count(0)
    second.watch.expected_statuses.add(404)
    answer = second.page.goto(second.url + address.lstrip("/"))
    assert answer is not None
    assert answer.status == 404


def test_a_syntax_error_is_reported_with_its_line(learner: Visitor) -> None:
    learner.open("/problems/moco/")
    learner.write("import torch\n\n\ndef moco_loss(query, key, queue, temperature=0.2:\n    return query\n")
    learner.run_tests()
    learner.expect_verdict(re.compile("^Stopped: an error"))
    expect(learner.page.get_by_text("Go to line 4").first).to_be_visible()


def test_an_endless_loop_is_stopped_and_the_next_run_is_healthy(learner: Visitor, moco: Path) -> None:
    learner.open("/problems/moco/")
    learner.write("while True:\n    pass\n")
    learner.run_tests()
    learner.expect_verdict(re.compile("out of time"))
    learner.write(moco / "reference.py")
    learner.run_tests()
    learner.expect_verdict("Solved")


def test_checks_appear_before_the_last_one_is_decided(learner: Visitor, moco: Path) -> None:
    """A submission that sleeps in each call leaves time to see the report fill in."""
    learner.open("/problems/moco/")
    source = (moco / "reference.py").read_text()
    slow = source.replace("def moco_loss(", "import time\n\n\ndef moco_loss(", 1)
    slow = re.sub(r"(def moco_loss\([^)]*\)[^:]*:\n)", r"\1    time.sleep(0.02)\n", slow, count=1)
    learner.write(slow)
    learner.run_tests()
    expect(learner.headline).to_have_text(re.compile(r"^Running: \d+ of \d+ checks$"), timeout=JUDGED_MS)
    expect(learner.page.locator(".tick[data-look=waiting]").first).to_be_visible()
    learner.expect_verdict("Solved")
    expect(learner.page.locator(".tick[data-look=waiting]")).to_have_count(0)


def test_what_a_submission_prints_is_shown_as_text(learner: Visitor, moco: Path) -> None:
    """Markup that a learner prints stays text; were it run, the page's watch would fail this test too."""
    printed = "<img src=nowhere.png onerror=\"document.title='taken'\">"
    source = (moco / "wrong" / "loss_sum.py").read_text()
    source = re.sub(r"(def moco_loss\([^)]*\)[^:]*:\n)", rf"\1    print({printed!r})\n", source, count=1)
    learner.open("/problems/moco/")
    learner.write(source)
    learner.run_tests()
    learner.expect_verdict(re.compile(r"checks passed$"))
    fold = learner.page.get_by_text("Printed during this check").first
    fold.click()
    expect(learner.page.locator("pre.printed", has_text=printed).first).to_be_visible()
    expect(learner.page).not_to_have_title("taken")
