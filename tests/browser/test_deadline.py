"""The evening of a deadline, as an instructor lives it: where learners are stuck, why, and what is to be done."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenVisitor
from tests.browser.visitor import Visitor
from tests.stack import Site

JUDGED_AGAIN_MS = 120_000
"""How long a few dozen runs may take, one after another, on a busy machine."""

STUCK = "/teach/submissions/?problem=moco&which=stuck"

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def instructor(term: Site, new_visitor: OpenVisitor) -> Visitor:
    visitor = new_visitor(accept_downloads=True)
    visitor.page.set_default_timeout(30_000)  # the first pages of a site load everything that it needs
    visitor.open("/accounts/sign-in/")
    visitor.page.get_by_label("Username").fill("administrator")
    visitor.page.get_by_label("Password").fill(term.administrator_password)
    visitor.page.get_by_role("main").get_by_role("button", name="Sign in").click()
    visitor.page.get_by_role("link", name="Workspace").click()
    return visitor


def saved(visitor: Visitor, name: str) -> str:
    """What a click on a download saves."""
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name=name).click()
    return Path(download.value.path()).read_text(encoding="utf-8-sig")


def test_from_the_report_to_what_is_stuck_and_fails_alike(instructor: Visitor) -> None:
    page = instructor.page
    page.get_by_role("navigation", name="Workspace").get_by_role("link", name="Reports").click()
    page.get_by_role("link", name="Momentum Contrast").click()
    expect(page.get_by_role("heading", level=1, name="Momentum Contrast")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"^\d+ runs in \d+ days"))).to_be_visible()
    rows = list(csv.DictReader(io.StringIO(saved(instructor, "Download as CSV"))))
    assert len(rows) == page.locator(".matrix tbody tr:not(.matrix__section)").count()

    stuck = page.locator(".matrix a[href*='which=stuck']").first
    count = int(stuck.inner_text())
    stuck.click()
    expect(page.get_by_role("status")).to_have_text(re.compile(rf"^{count} runs?$"))

    page.go_back()
    cluster = page.locator(".clusters").first
    cluster.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="What fails")).to_be_visible()
    page.get_by_role("button", name="Make this a wrong solution").click()
    expect(page).to_have_url(re.compile(r"/draft/\?file=wrong%2Falike_[0-9a-f]{8}\.py"))
    expect(page.get_by_text(re.compile(r"alike_[0-9a-f]{8}\.py")).first).to_be_visible()


def test_two_runs_are_compared_and_one_is_read(instructor: Visitor) -> None:
    page = instructor.page
    page.get_by_role("navigation", name="Workspace").get_by_role("link", name="Submissions").click()
    page.get_by_label("Problem").select_option("moco")
    page.get_by_label("Verdict").select_option(label="Wrong answer")
    page.get_by_role("button", name="Show").click()
    compare = page.get_by_role("button", name="Compare")
    expect(compare).to_be_disabled()

    boxes = page.get_by_role("checkbox")
    for place in range(3):
        boxes.nth(place).check()
    expect(boxes.nth(0)).not_to_be_checked()
    compare.click()
    expect(page.get_by_role("heading", name="Two runs side by side")).to_be_visible()

    page.locator(".diff thead a").first.click()
    expect(instructor.headline).to_have_text(re.compile(r"^\d+ of \d+ checks passed$"))
    expect(page.get_by_role("heading", name="How it was judged")).to_be_visible()


def test_runs_are_judged_again_applied_and_taken_back(instructor: Visitor) -> None:
    page = instructor.page
    instructor.open(STUCK)
    before = saved(instructor, "Download as CSV")
    page.get_by_role("link", name="Judge these again").click()
    page.get_by_role("button", name=re.compile(r"^Judge \d+ runs? again$")).click()
    page.reload()
    apply = page.get_by_role("button", name="Apply")
    expect(apply).to_be_enabled(timeout=JUDGED_AGAIN_MS)

    apply.click()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^Applied to \d+ runs$"), timeout=JUDGED_AGAIN_MS)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^Taken back: all "), timeout=JUDGED_AGAIN_MS)

    instructor.open(STUCK)
    assert saved(instructor, "Download as CSV") == before


def test_the_site_as_a_learner_sees_it(instructor: Visitor) -> None:
    page = instructor.page
    instructor.open("/teach/learners/?sort=runs")
    page.locator(".learners tbody th a").first.click()
    name = page.get_by_role("heading", level=1).inner_text()
    expect(page.locator(".strip").first).to_be_hidden()
    page.get_by_text("Every run, check by check").first.click()
    expect(page.locator(".strip").first).to_be_visible()

    page.get_by_role("button", name=f"See the site as {name}").click()
    expect(page.get_by_text(f"You see this site as {name} sees it.")).to_be_visible()
    instructor.open("/problems/moco/")
    expect(page.get_by_text("Only to look at")).to_be_visible()
    expect(page.get_by_role("button", name="Run tests")).to_have_count(0)
    page.get_by_role("button", name="Stop looking").click()
    expect(page.get_by_role("navigation", name="Workspace")).to_be_visible()
