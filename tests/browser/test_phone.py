"""The problem page at 390 pixels."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenVisitor, new_name
from tests.browser.visitor import assert_fits

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def test_the_story_on_a_phone(new_visitor: OpenVisitor, moco: Path) -> None:
    visitor = new_visitor(**PHONE)
    page = visitor.page
    visitor.open("/")
    assert_fits(page)
    visitor.sign_up(new_name())
    assert_fits(page)
    visitor.open("/problems/moco/")
    expect(page.get_by_role("heading", name="The contrastive loss")).to_be_visible()
    assert_fits(page)

    run = page.get_by_role("button", name="Run tests")
    expect(run).to_be_in_viewport()
    page.get_by_role("tab", name="Code").tap()
    visitor.write(moco / "wrong" / "loss_positive_not_in_denominator.py")
    assert_fits(page)
    expect(run).to_be_in_viewport()
    run.tap()
    expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
    visitor.expect_verdict(re.compile(r"^\d+ of \d+ checks passed$"))
    expect(page.get_by_role("region", name="Failed checks").get_by_role("article").first).to_be_visible()
    assert_fits(page)

    page.get_by_role("tab", name="Code").tap()
    visitor.write(moco / "reference.py")
    run.tap()
    visitor.expect_verdict("Solved")
    page.get_by_role("link", name="Open the notes").tap()
    expect(page.get_by_role("heading", name="The negatives problem")).to_be_visible()
    assert_fits(page)
